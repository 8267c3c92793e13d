//! Routes to reset workspaces (W-9), to clean them up (W-7), and to list orphans (W-10).

use axum::Json;
use axum::extract::State;
use forge_api::{
    CleanWorkspaces, CleanupDecision, OrphanView, Page, Task, WorkspaceCleanup, actions,
};
use forge_domain::task::{TaskSnapshot, WorkspaceStatus};
use forge_domain::{Effect, TaskCommand, TaskId};
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::{OptionalJsonBody, Path};
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        RESET_WORKSPACE => reset,
        CLEAN_WORKSPACE => clean_one,
        CLEAN_WORKSPACES => clean_all,
        LIST_ORPHANS => orphans,
    ]
}

/// Reset a task's workspace
///
/// Discards the workspace and creates a new one from the target branch. The old content is saved in the journal and
/// the archive; the task can be claimed again.
#[utoipa::path(post, path = actions::RESET_WORKSPACE.path, tag = "workspaces",
    params(("id" = Uuid, Path, description = "The task.")),
    responses((status = 200, description = "The task.", body = Task)))]
async fn reset(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Task>, ApiError> {
    let task = TaskId::new(id);
    app.engine.commands().handle(caller.actor, task, TaskCommand::ResetWorkspace).await?;
    let settled = app.wait_until_settled(task).await?;
    app.wait_for_reset(task, |effect| matches!(effect, Effect::ResetWorkspace)).await?;
    Ok(Json(convert::tasks::task::task(&settled)))
}

/// Remove a task's worktree now
///
/// Or report what that would do. Uncommitted work is saved first, and the branch stays unless its content landed.
#[utoipa::path(post, path = actions::CLEAN_WORKSPACE.path, tag = "workspaces",
    params(("id" = Uuid, Path, description = "The task.")), request_body = CleanWorkspaces,
    responses((status = 200, description = "The decision about the workspace.", body = WorkspaceCleanup)))]
async fn clean_one(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    OptionalJsonBody(asked): OptionalJsonBody<CleanWorkspaces>,
) -> Result<Json<WorkspaceCleanup>, ApiError> {
    let task = app.engine.records().task(TaskId::new(id)).await?;
    Ok(Json(Box::pin(clean(&app, &caller, task, asked.dry_run)).await?))
}

/// Remove the workspaces of all ended tasks
///
/// Or report what that would do. Orphans are listed and not touched.
#[utoipa::path(post, path = actions::CLEAN_WORKSPACES.path, tag = "workspaces",
    request_body = CleanWorkspaces,
    responses((status = 200, description = "The decision about each workspace.", body = Page<WorkspaceCleanup>)))]
async fn clean_all(
    State(app): State<AppState>,
    caller: Caller,
    OptionalJsonBody(asked): OptionalJsonBody<CleanWorkspaces>,
) -> Result<Json<Page<WorkspaceCleanup>>, ApiError> {
    let mut items = Vec::new();
    for task in app.engine.workspace_cleanup().ended_with_workspace().await? {
        items.push(Box::pin(clean(&app, &caller, task, asked.dry_run)).await?);
    }
    let orphans = app.engine.workspace_cleanup().list_orphans().await?;
    items.extend(orphans.iter().map(convert::workspaces::cleanup::orphan_entry));
    Ok(Json(Page { items, next_cursor: None }))
}

/// List directories that belong to no live task
///
/// Directories under the workspace root. Forge never deletes them by itself.
#[utoipa::path(get, path = actions::LIST_ORPHANS.path, tag = "workspaces",
    responses((status = 200, description = "The complete list.", body = Page<OrphanView>)))]
async fn orphans(State(app): State<AppState>) -> Result<Json<Page<OrphanView>>, ApiError> {
    let items = app
        .engine
        .workspace_cleanup()
        .list_orphans()
        .await?
        .iter()
        .map(convert::workspaces::cleanup::orphan)
        .collect();
    Ok(Json(Page { items, next_cursor: None }))
}

async fn clean(
    app: &AppState,
    caller: &Caller,
    task: TaskSnapshot,
    dry_run: bool,
) -> Result<WorkspaceCleanup, ApiError> {
    let id = task.id;
    if dry_run {
        let considered =
            app.engine.workspace_cleanup().preview_removal(caller.actor.clone(), task).await?;
        return Ok(convert::workspaces::cleanup::removal_entry(considered));
    }
    let considered =
        app.engine.workspace_cleanup().check_removal(caller.actor.clone(), task).await?;
    let mut answer = convert::workspaces::cleanup::removal_entry(considered);
    if answer.verdict == CleanupDecision::Blocked {
        return Ok(answer);
    }
    app.engine.commands().handle(caller.actor.clone(), id, TaskCommand::CleanWorkspace).await?;
    let is_gone = |task: &TaskSnapshot| {
        let known = task.workspace.as_ref();
        known.is_none_or(|workspace| workspace.status == WorkspaceStatus::Cleaned)
    };
    // The content is saved after the answer.
    let after = app.wait_for_task(id, |task| is_gone(task) || !task.is_settling()).await?;
    let gone = is_gone(&after);
    answer.verdict = if gone { CleanupDecision::Removed } else { CleanupDecision::Failed };
    Ok(answer)
}
