//! Reads the full-text index. In the order of task numbers it reads no further than the page; in other orders all hits
//! are needed to find the first ones.

use forge_domain::task::TaskSnapshot;

use crate::dialect::SqlDialect;
use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tables::column::count;
use crate::tables::query_builder::QueryBuilder;
use crate::tables::tasks::filter::{TaskFilter, TaskSortKey};
use crate::tables::tasks::list::{write_indexed, write_start, write_unindexed};
use crate::tables::tasks::search::TaskSearch;
use crate::tables::tasks::search_index;
use crate::tables::tasks::search_index::SearchExtent;
use crate::value::SqlValue;

/// Highest possible task number of a project.
const HIGHEST_NUMBER: i64 = (1 << 32) - 1;

/// The hits of a project in the order of their numbers, from the start of the page.
pub(crate) struct IndexHits<'s> {
    search: &'s TaskSearch<'s>,
    /// The first number that was not read.
    edge: i64,
    /// The last number in the direction of the read.
    last: i64,
    extent: SearchExtent,
    found: Vec<TaskSnapshot>,
    rows_read: usize,
}

impl<'s> IndexHits<'s> {
    pub(crate) async fn start(search: &'s TaskSearch<'s>) -> Result<Self, StoreError> {
        let descending = search.filter.descending;
        let (extent, highest) = match search.db.dialect() {
            SqlDialect::Sqlite => (SearchExtent::Project, HIGHEST_NUMBER),
            SqlDialect::Postgres => (SearchExtent::SMALLEST, highest_number(search).await?),
        };
        let after = match search.start.as_deref() {
            Some([SqlValue::Int(Some(number))]) => Some(*number),
            _ => None,
        };
        let (edge, last) = match descending {
            true => (after.map_or(highest, |number| number.saturating_sub(1)), 0),
            false => (after.map_or(0, |number| number.saturating_add(1)), highest),
        };
        Ok(Self { search, edge, last, extent, found: Vec::new(), rows_read: 0 })
    }

    /// Reads up to `budget` more hits. Returns whether the page is full or there are no more.
    pub(crate) async fn read(&mut self, budget: usize) -> Result<bool, StoreError> {
        if self.is_over() {
            return Ok(true);
        }
        let descending = self.search.filter.descending;
        let far = self.extent.bounds(self.edge, descending).map_or(self.last, |(first, last)| {
            if descending { first.max(self.last) } else { last.min(self.last) }
        });
        let numbers = (self.edge.min(far), self.edge.max(far));
        let asked = HitQuery {
            wanted: self.search.wanted,
            extent: self.extent.terms(self.search.filter.project_id, self.edge, descending),
            numbers,
            limit: count(budget as u64),
            reading: HitReading::InOrder,
        };
        let query = assemble_hits(self.search.db.dialect(), self.search.filter, None, &asked)?;
        let rows = self.search.db.fetch_all(query.into_stmt()).await?;
        self.rows_read += rows.len();
        let mut hits = Vec::with_capacity(rows.len());
        for row in &rows {
            hits.push((row.get::<i64>("number")?, row));
        }
        hits.sort_unstable_by_key(|(number, _)| if descending { -number } else { *number });
        for (number, row) in &hits {
            self.found.extend(self.search.matching(row)?);
            self.edge = if descending { number - 1 } else { number + 1 };
            if self.found.len() == self.search.limit {
                return Ok(true);
            }
        }
        if hits.len() < budget {
            self.edge = if descending { far - 1 } else { far + 1 };
            self.extent = self.extent.enlarged(!hits.is_empty());
        }
        Ok(self.is_over())
    }

    fn is_over(&self) -> bool {
        if self.search.filter.descending { self.edge < self.last } else { self.edge > self.last }
    }

    /// Whether the filter, or the comparison with the task itself, rejected any hit.
    pub(crate) fn has_rejected(&self) -> bool {
        self.found.len() < self.rows_read
    }

    pub(crate) fn rows_read(&self) -> usize {
        self.rows_read
    }

    pub(crate) fn into_found(self) -> Vec<TaskSnapshot> {
        self.found
    }
}

async fn highest_number(search: &TaskSearch<'_>) -> Result<i64, StoreError> {
    let select = stmt("SELECT MAX(number) AS highest FROM tasks WHERE project_id = $1");
    let row = search.db.fetch_one(select.bind(search.filter.project_id)).await?;
    Ok(row.get::<Option<i64>>("highest")?.unwrap_or_default())
}

/// Sort values and numbers of all hits that the filter accepts, unsorted; `None` if there are more hits than `most`.
pub(crate) async fn read_all(
    search: &TaskSearch<'_>,
    most: usize,
) -> Result<Option<Vec<(i64, i64)>>, StoreError> {
    let (filter, start) = (search.filter, search.start.as_deref());
    let limit = count(most as u64) + 1;
    let query = if search.wanted.is_empty() {
        assemble_labelled(filter, start, limit)?
    } else {
        let asked = HitQuery {
            wanted: search.wanted,
            extent: SearchExtent::Project.terms(filter.project_id, 0, false),
            numbers: (0, HIGHEST_NUMBER),
            limit,
            reading: HitReading::SortValues,
        };
        assemble_hits(search.db.dialect(), filter, start, &asked)?
    };
    let rows = search.db.fetch_all(query.into_stmt()).await?;
    if rows.len() > most {
        return Ok(None);
    }
    let mut hits = Vec::with_capacity(rows.len());
    for row in &rows {
        if let Some(number) = row.get("fitting")? {
            let value = match filter.sort {
                TaskSortKey::Created => 0,
                TaskSortKey::Updated => row.get("updated_at")?,
                TaskSortKey::Priority => row.get("urgency")?,
            };
            hits.push((value, number));
        }
    }
    Ok(Some(hits))
}

/// A query of the full-text index.
pub(crate) struct HitQuery<'a> {
    pub(crate) wanted: &'a [String],
    /// PostgreSQL: terms of the part of the project that is searched.
    pub(crate) extent: String,
    /// The lowest and the highest number.
    pub(crate) numbers: (i64, i64),
    /// Maximum number of hits.
    pub(crate) limit: i64,
    pub(crate) reading: HitReading,
}

/// The columns that are read of each hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HitReading {
    /// The first hits in the order of numbers, with the snapshots of those that the filter accepts.
    InOrder,
    /// Any hits, with the numbers of those that the filter accepts.
    SortValues,
}

/// Builds the query: the limit bounds the hits, and each is one task, whether the filter accepts it or not.
pub(crate) fn assemble_hits(
    dialect: SqlDialect,
    filter: &TaskFilter,
    start: Option<&[SqlValue]>,
    asked: &HitQuery<'_>,
) -> Result<QueryBuilder, StoreError> {
    let mut query = QueryBuilder::new("");
    write_reading(filter, start, asked.reading, &mut query)?;
    let place = dialect.search_place();
    query.text(" FROM (SELECT ").text(place).text(" AS place FROM task_search WHERE ");
    let words = search_index::query(dialect, asked.wanted);
    match dialect {
        SqlDialect::Sqlite => query.text("task_search MATCH ").value(words),
        SqlDialect::Postgres => query
            .text("terms @> CAST(")
            .value(words)
            .text(" AS INTEGER[]) AND terms && CAST(")
            .value(asked.extent.clone())
            .text(" AS INTEGER[])"),
    };
    for (comparison, number) in [(" >= ", asked.numbers.0), (" <= ", asked.numbers.1)] {
        query.text(" AND ").text(place).text(comparison);
        query.text("(SELECT ordinal FROM projects WHERE id = ").value(filter.project_id);
        query.text(") * 4294967296 + ").value(number);
    }
    if asked.reading == HitReading::InOrder {
        query.text(" ORDER BY ").text(place);
        query.text(if filter.descending { " DESC" } else { " ASC" });
    }
    query.text(" LIMIT ").value(asked.limit);
    // A cross join keeps SQLite from starting with the tasks.
    query.text(") AS hit CROSS JOIN tasks WHERE tasks.project_id = ").value(filter.project_id);
    query.text(" AND tasks.number = (hit.place & 4294967295)");
    Ok(query)
}

/// Builds the query for tasks with the filter's label.
pub(crate) fn assemble_labelled(
    filter: &TaskFilter,
    start: Option<&[SqlValue]>,
    limit: i64,
) -> Result<QueryBuilder, StoreError> {
    let mut query = QueryBuilder::new("");
    write_reading(filter, start, HitReading::SortValues, &mut query)?;
    query.text(" FROM (SELECT task_id FROM task_labels WHERE label = ");
    query.value(filter.label.clone()).text(" LIMIT ").value(limit);
    query.text(") AS hit CROSS JOIN tasks WHERE tasks.id = hit.task_id");
    Ok(query)
}

fn write_reading(
    filter: &TaskFilter,
    start: Option<&[SqlValue]>,
    reading: HitReading,
    query: &mut QueryBuilder,
) -> Result<(), StoreError> {
    query.text("SELECT number, updated_at, urgency, CASE WHEN project_id = ");
    query.value(filter.project_id);
    if !filter.include_archived {
        query.text(" AND archived = FALSE");
    }
    write_indexed(filter, query)?;
    write_unindexed(filter, query)?;
    write_start(filter, start, query);
    query.text(match reading {
        HitReading::InOrder => " THEN snapshot END AS snapshot",
        HitReading::SortValues => " THEN number END AS fitting",
    });
    Ok(())
}
