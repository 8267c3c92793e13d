//! Lists of tasks, page by page.

use forge_domain::task::Snapshot;

use super::filter::{TaskFilter, TaskSort};
use super::{store, words};
use crate::cursor::{Cursor, CursorValue};
use crate::db::Db;
use crate::dialect::Dialect;
use crate::errors::StoreError;
use crate::tables::assembly::Assembly;
use crate::tables::column::word;
use crate::tables::page::Page;
use crate::value::Value;

/// One page of the tasks that the filter lets through, and where the next begins.
pub async fn list(
    db: &Db,
    filter: &TaskFilter,
    page: &Page,
) -> Result<(Vec<Snapshot>, Option<Cursor>), StoreError> {
    let Some(query) = assemble(db.dialect(), filter, page)? else {
        return Ok((Vec::new(), None));
    };
    let rows = db.fetch_all(query.into_stmt()?).await?;
    let tasks = rows.iter().map(store::read).collect::<Result<Vec<_>, _>>()?;
    let order = filter.order();
    Ok(page.cut(tasks, |last| order.after(keys(filter.sort, last))))
}

fn keys(sort: TaskSort, task: &Snapshot) -> Vec<CursorValue> {
    match sort {
        TaskSort::Created => vec![task.number.into()],
        TaskSort::Updated => vec![task.updated_at.millis().into(), task.number.into()],
        TaskSort::Priority => vec![(-i64::from(task.priority)).into(), task.number.into()],
    }
}

/// The words of the order: the columns, the comparison with a cursor, and the clause.
struct Sorting {
    columns: &'static str,
    comparison: &'static str,
    clause: &'static str,
}

fn sorting(filter: &TaskFilter) -> Sorting {
    // Urgency is the negated priority, so the highest priority first is its ascending order.
    let ascending = filter.descending == (filter.sort == TaskSort::Priority);
    let (columns, clause) = match (filter.sort, ascending) {
        (TaskSort::Created, true) => ("(number)", " ORDER BY number LIMIT "),
        (TaskSort::Created, false) => ("(number)", " ORDER BY number DESC LIMIT "),
        (TaskSort::Updated, true) => {
            ("(updated_at, number)", " ORDER BY updated_at, number LIMIT ")
        }
        (TaskSort::Updated, false) => {
            ("(updated_at, number)", " ORDER BY updated_at DESC, number DESC LIMIT ")
        }
        (TaskSort::Priority, true) => ("(urgency, number)", " ORDER BY urgency, number LIMIT "),
        (TaskSort::Priority, false) => {
            ("(urgency, number)", " ORDER BY urgency DESC, number DESC LIMIT ")
        }
    };
    Sorting { columns, comparison: if ascending { " > " } else { " < " }, clause }
}

/// The query; `None` if nothing can match. Archived tasks and the others stand apart in each index, so that a list
/// without the archived ones never reads over them; a list of all is a merge of the two.
pub(crate) fn assemble(
    dialect: Dialect,
    filter: &TaskFilter,
    page: &Page,
) -> Result<Option<Assembly>, StoreError> {
    let search = match filter.text.as_deref().map(str::trim) {
        None | Some("") => None,
        Some(text) => match dialect.search_text(&words::typed(text)) {
            None => return Ok(None),
            query => query,
        },
    };
    let half = Half {
        dialect,
        filter,
        search,
        sorting: sorting(filter),
        start: filter.order().start(page)?,
        limit: page.fetch_limit(),
    };
    if !filter.include_archived {
        let mut query = Assembly::new("");
        half.write(&mut query, " AND archived = FALSE")?;
        return Ok(Some(query));
    }
    let mut query = Assembly::new("SELECT snapshot FROM (SELECT * FROM (");
    half.write(&mut query, " AND archived = FALSE")?;
    query.text(") AS kept UNION ALL SELECT * FROM (");
    half.write(&mut query, " AND archived = TRUE")?;
    query.text(") AS archived) AS listed").text(half.sorting.clause).value(half.limit);
    Ok(Some(query))
}

/// A page of either the archived tasks or the others.
struct Half<'f> {
    dialect: Dialect,
    filter: &'f TaskFilter,
    search: Option<String>,
    sorting: Sorting,
    start: Option<Vec<Value>>,
    limit: i64,
}

impl Half<'_> {
    fn write(&self, query: &mut Assembly, archived: &'static str) -> Result<(), StoreError> {
        let filter = self.filter;
        query
            .text("SELECT snapshot, number, updated_at, urgency FROM tasks WHERE project_id = ")
            .value(filter.project_id)
            .text(archived);
        if let Some(state) = &filter.status {
            query.text(" AND state = ").value(state);
        }
        if let Some(phase) = filter.phase {
            query.text(" AND phase = ").value(word(phase)?);
        }
        if let Some(agent) = filter.agent {
            query.text(" AND agent_id = ").value(agent);
        }
        if let Some(kind) = filter.kind {
            query.text(" AND kind = ").value(word(kind)?);
        }
        if let Some(parent) = filter.parent {
            query.text(" AND parent_id = ").value(parent);
        }
        if let Some(label) = &filter.label {
            query
                .text(" AND id IN (SELECT task_id FROM task_labels WHERE label = ")
                .value(label)
                .text(")");
        }
        if let Some(search) = &self.search {
            query.text(" AND id IN (SELECT task_id FROM task_words WHERE ");
            query.search(self.dialect, "task_words", search.clone()).text(")");
        }
        if let Some(start) = &self.start {
            query.text(" AND ").text(self.sorting.columns).text(self.sorting.comparison);
            query.group(true, start.iter().cloned());
        }
        query.text(self.sorting.clause).value(self.limit);
        Ok(())
    }
}
