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
    let tasks = rows
        .iter()
        .map(store::read)
        .collect::<Result<Vec<_>, _>>()?;
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
        (TaskSort::Updated, false) => (
            "(updated_at, number)",
            " ORDER BY updated_at DESC, number DESC LIMIT ",
        ),
        (TaskSort::Priority, true) => ("(urgency, number)", " ORDER BY urgency, number LIMIT "),
        (TaskSort::Priority, false) => (
            "(urgency, number)",
            " ORDER BY urgency DESC, number DESC LIMIT ",
        ),
    };
    Sorting {
        columns,
        comparison: if ascending { " > " } else { " < " },
        clause,
    }
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
    let start = filter.order().start(page)?;
    let mut query = Assembly::new("SELECT snapshot FROM (");
    half(&mut query, " AND archived = FALSE", filter, search.as_ref(), dialect)?;
    finish(&mut query, filter, start.as_deref(), page);
    if filter.include_archived {
        query.text(") AS kept UNION ALL SELECT * FROM (");
        half(&mut query, " AND archived = TRUE", filter, search.as_ref(), dialect)?;
        finish(&mut query, filter, start.as_deref(), page);
    }
    query.text(") AS listed");
    Ok(Some(query))
}
