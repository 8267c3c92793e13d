//! Tasks whose workspaces are on disk, in pages (W-16).

use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::TaskStanding;
use forge_domain::{ProjectId, UserId};

use crate::cursor::PageCursor;
use crate::db::Db;
use crate::store_error::StoreError;
use crate::tables::column::word;
use crate::tables::page::{ListOrder, PageRequest, SortKey};
use crate::tables::query_builder::QueryBuilder;
use crate::tables::tasks::store;

/// Sort order of [`list_with_workspace`]: by directory.
pub const WORKSPACE_ORDER: ListOrder = ListOrder::new("workspace", &[SortKey::Text, SortKey::Text]);

/// Tasks with a workspace, in [`WORKSPACE_ORDER`]; only of the member's projects if one is named.
pub async fn list_with_workspace(
    db: &Db,
    member: Option<UserId>,
    page: &PageRequest,
) -> Result<(Vec<TaskSnapshot>, Option<PageCursor>), StoreError> {
    let rows = db.fetch_all(assemble_workspaces(member, page)?.into_stmt()).await?;
    let tasks = rows.iter().map(store::read).collect::<Result<Vec<_>, _>>()?;
    Ok(page.split_page(tasks, |last| {
        let path = last.workspace.as_ref().map(|found| found.path.clone()).unwrap_or_default();
        WORKSPACE_ORDER.after([path.into(), last.id.to_string().into()])
    }))
}

/// Open tasks of a project with a workspace.
pub async fn list_live_with_workspace(
    db: &Db,
    project: ProjectId,
) -> Result<Vec<TaskSnapshot>, StoreError> {
    let mut query = QueryBuilder::new("SELECT snapshot FROM tasks WHERE workspace IS NOT NULL");
    query.text(" AND project_id = ").value(project).text(" AND standing IN ");
    query.value_group(
        true,
        [word(TaskStanding::Open)?.into(), word(TaskStanding::Submitted)?.into()],
    );
    query.text(" ORDER BY number");
    db.fetch_all(query.into_stmt()).await?.iter().map(store::read).collect()
}

pub(crate) fn assemble_workspaces(
    member: Option<UserId>,
    page: &PageRequest,
) -> Result<QueryBuilder, StoreError> {
    let mut query = QueryBuilder::new("SELECT snapshot FROM tasks WHERE workspace IS NOT NULL");
    if let Some(user) = member {
        query
            .text(" AND project_id IN (SELECT project_id FROM project_members WHERE user_id = ")
            .value(user)
            .text(")");
    }
    if let Some(start) = WORKSPACE_ORDER.start(page)? {
        query.text(" AND (workspace, id) > ");
        query.value_group(true, start);
    }
    query.text(" ORDER BY workspace, id LIMIT ").value(page.fetch_limit());
    Ok(query)
}
