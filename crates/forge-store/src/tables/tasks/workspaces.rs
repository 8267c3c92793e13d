//! The tasks whose workspaces are on disk, page by page (W-16).

use forge_domain::UserId;
use forge_domain::task::Snapshot;

use super::store;
use crate::cursor::Cursor;
use crate::db::Db;
use crate::errors::StoreError;
use crate::tables::assembly::Assembly;
use crate::tables::page::{Key, Order, Page};

/// The order of [`list_with_workspace`]: by directory.
pub const WORKSPACE_ORDER: Order = Order::new("workspace", &[Key::Text, Key::Text]);

/// Tasks that have a workspace, in [`WORKSPACE_ORDER`]; of this person's projects only, where one is named.
pub async fn list_with_workspace(
    db: &Db,
    member: Option<UserId>,
    page: &Page,
) -> Result<(Vec<Snapshot>, Option<Cursor>), StoreError> {
    let rows = db.fetch_all(assemble_workspaces(member, page)?.into_stmt()?).await?;
    let tasks = rows.iter().map(store::read).collect::<Result<Vec<_>, _>>()?;
    Ok(page.cut(tasks, |last| {
        let path = last.workspace.as_ref().map(|found| found.path.clone()).unwrap_or_default();
        WORKSPACE_ORDER.after([path.into(), last.id.to_string().into()])
    }))
}

pub(crate) fn assemble_workspaces(
    member: Option<UserId>,
    page: &Page,
) -> Result<Assembly, StoreError> {
    let mut query = Assembly::new("SELECT snapshot FROM tasks WHERE workspace IS NOT NULL");
    if let Some(user) = member {
        query
            .text(" AND project_id IN (SELECT project_id FROM project_members WHERE user_id = ")
            .value(user)
            .text(")");
    }
    if let Some(start) = WORKSPACE_ORDER.start(page)? {
        query.text(" AND (workspace, id) > ");
        query.group(true, start);
    }
    query.text(" ORDER BY workspace, id LIMIT ").value(page.fetch_limit());
    Ok(query)
}
