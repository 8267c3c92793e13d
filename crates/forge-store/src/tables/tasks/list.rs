//! Lists of tasks in pages.

use forge_domain::task::TaskSnapshot;

use crate::cursor::{CursorValue, PageCursor};
use crate::db::Db;
use crate::store_error::StoreError;
use crate::tables::column::word;
use crate::tables::page::PageRequest;
use crate::tables::query_builder::QueryBuilder;
use crate::tables::tasks::filter::{TaskFilter, TaskSortKey};
use crate::tables::tasks::{search, store, words};
use crate::value::SqlValue;

/// One page of the tasks that the filter accepts, and the cursor of the next.
pub async fn list(
    db: &Db,
    filter: &TaskFilter,
    page: &PageRequest,
) -> Result<(Vec<TaskSnapshot>, Option<PageCursor>), StoreError> {
    let order = filter.order();
    let start = order.start(page)?;
    let text = filter.text.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let wanted = text.map(words::search_words).unwrap_or_default();
    let tasks = if text.is_some() && wanted.is_empty() {
        // A text without a word matches no task.
        Vec::new()
    } else if wanted.is_empty() && filter.label.is_none() {
        let query = assemble(filter, start.as_deref(), page.fetch_limit(), RowSelection::Matching)?;
        let rows = db.fetch_all(query.into_stmt()).await?;
        rows.iter().map(store::read).collect::<Result<Vec<_>, _>>()?
    } else {
        let found = search::search(db, filter, &wanted, start, page).await?;
        tracing::debug!(rows = found.rows_read, "searched tasks");
        found.tasks
    };
    Ok(page.split_page(tasks, |last| order.after(keys(filter.sort, last))))
}

fn keys(sort: TaskSortKey, task: &TaskSnapshot) -> Vec<CursorValue> {
    match sort {
        TaskSortKey::Created => vec![task.number.into()],
        TaskSortKey::Updated => vec![task.updated_at.millis().into(), task.number.into()],
        TaskSortKey::Priority => vec![(-i64::from(task.priority)).into(), task.number.into()],
    }
}

/// SQL parts of the sort order: the columns, the comparison with a cursor, and the clause.
struct SortClause {
    columns: &'static str,
    comparison: &'static str,
    clause: &'static str,
}

fn sorting(filter: &TaskFilter) -> SortClause {
    let ascending = filter.is_ascending();
    let (columns, clause) = match (filter.sort, ascending) {
        (TaskSortKey::Created, true) => ("(number)", " ORDER BY number LIMIT "),
        (TaskSortKey::Created, false) => ("(number)", " ORDER BY number DESC LIMIT "),
        (TaskSortKey::Updated, true) => {
            ("(updated_at, number)", " ORDER BY updated_at, number LIMIT ")
        }
        (TaskSortKey::Updated, false) => {
            ("(updated_at, number)", " ORDER BY updated_at DESC, number DESC LIMIT ")
        }
        (TaskSortKey::Priority, true) => ("(urgency, number)", " ORDER BY urgency, number LIMIT "),
        (TaskSortKey::Priority, false) => {
            ("(urgency, number)", " ORDER BY urgency DESC, number DESC LIMIT ")
        }
    };
    SortClause { columns, comparison: if ascending { " > " } else { " < " }, clause }
}

/// The rows that a query returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowSelection {
    /// Only tasks that the filter accepts.
    Matching,
    /// Every task of an index, so that the limit bounds the read; snapshots only of tasks that the filter accepts.
    All,
}

/// Builds the query without the filter's text. Each index separates archived tasks from the others, so that a list
/// without archived tasks never reads them; a list of all is a merge of the two.
pub(crate) fn assemble(
    filter: &TaskFilter,
    start: Option<&[SqlValue]>,
    limit: i64,
    reading: RowSelection,
) -> Result<QueryBuilder, StoreError> {
    let half = ArchiveHalf { filter, sorting: sorting(filter), start, limit, reading };
    if !filter.include_archived {
        let mut query = QueryBuilder::new("");
        half.write(&mut query, " AND archived = FALSE")?;
        return Ok(query);
    }
    let mut query = QueryBuilder::new("SELECT * FROM (SELECT * FROM (");
    half.write(&mut query, " AND archived = FALSE")?;
    query.text(") AS kept UNION ALL SELECT * FROM (");
    half.write(&mut query, " AND archived = TRUE")?;
    query.text(") AS archived) AS listed").text(half.sorting.clause).value(limit);
    Ok(query)
}

/// A page of either the archived tasks or the others.
struct ArchiveHalf<'f> {
    filter: &'f TaskFilter,
    sorting: SortClause,
    start: Option<&'f [SqlValue]>,
    limit: i64,
    reading: RowSelection,
}

impl ArchiveHalf<'_> {
    fn write(&self, query: &mut QueryBuilder, archived: &'static str) -> Result<(), StoreError> {
        query.text("SELECT number, updated_at, urgency, ");
        match self.reading {
            RowSelection::Matching => query.text("snapshot"),
            RowSelection::All => {
                query.text("CASE WHEN TRUE");
                write_unindexed(self.filter, query)?;
                query.text(" THEN snapshot END AS snapshot")
            }
        };
        query.text(" FROM tasks WHERE project_id = ").value(self.filter.project_id).text(archived);
        write_indexed(self.filter, query)?;
        if self.reading == RowSelection::Matching {
            write_unindexed(self.filter, query)?;
        }
        write_start(self.filter, self.start, query);
        query.text(self.sorting.clause).value(self.limit);
        Ok(())
    }
}

/// Conditions, besides project and archive, that an index of a list covers.
pub(crate) fn write_indexed(
    filter: &TaskFilter,
    query: &mut QueryBuilder,
) -> Result<(), StoreError> {
    if let Some(state) = &filter.status {
        query.text(" AND state = ").value(state);
    }
    if let Some(phase) = filter.phase {
        query.text(" AND phase = ").value(word(phase)?);
    }
    if let Some(agent) = filter.agent {
        query.text(" AND agent_id = ").value(agent);
    }
    if let Some(parent) = filter.parent {
        query.text(" AND parent_id = ").value(parent);
    }
    Ok(())
}

/// Conditions that no index of a list covers.
pub(crate) fn write_unindexed(
    filter: &TaskFilter,
    query: &mut QueryBuilder,
) -> Result<(), StoreError> {
    if let Some(kind) = filter.kind {
        query.text(" AND kind = ").value(word(kind)?);
    }
    if let Some(label) = &filter.label {
        query
            .text(" AND EXISTS (SELECT 1 FROM task_labels WHERE task_labels.label = ")
            .value(label)
            .text(" AND task_labels.task_id = tasks.id)");
    }
    Ok(())
}

/// The condition that a task comes after a cursor.
pub(crate) fn write_start(
    filter: &TaskFilter,
    start: Option<&[SqlValue]>,
    query: &mut QueryBuilder,
) {
    if let Some(start) = start {
        let sorting = sorting(filter);
        query.text(" AND ").text(sorting.columns).text(sorting.comparison);
        query.value_group(true, start.iter().cloned());
    }
}
