//! Looking after workspaces: a fresh start (W-9), removals (W-7), orphans (W-10).

use axum::Json;
use axum::extract::State;
use forge_api::{CleanVerdict, CleanWorkspaces, Cleaned, Orphan, Page, Task};
use forge_domain::task::{Snapshot, WorkspaceStatus};
use forge_domain::{Command, TaskId};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::caller::Caller;
use crate::convert;
use crate::failure::Failure;
use crate::input::{OptionalBody, Path};

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(reset))
        .routes(routes!(clean_one))
        .routes(routes!(clean_all))
        .routes(routes!(orphans))
}

/// Throws a task's workspace away and makes a new one from the target branch. What was in it is kept in the journal
/// and the archive; the task can be claimed again.
#[utoipa::path(post, path = "/tasks/{id}/workspace/reset", tag = "workspaces", operation_id = "reset_workspace",
    params(("id" = Uuid, Path, description = "The task.")),
    responses((status = 200, description = "The task.", body = Task)))]
async fn reset(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Task>, Failure> {
    let task = TaskId::new(id);
    app.engine.handle(caller.actor, task, Command::ResetWorkspace).await?;
    let settled = app.settled(task).await?;
    Ok(Json(convert::task::task(&settled)))
}

/// Removes a task's worktree now, or says what that would do. Work in no commit is saved first, and the branch stays
/// unless its content landed.
#[utoipa::path(post, path = "/tasks/{id}/workspace/clean", tag = "workspaces", operation_id = "clean_workspace",
    params(("id" = Uuid, Path, description = "The task.")), request_body = CleanWorkspaces,
    responses((status = 200, description = "What became of it, or would.", body = Cleaned)))]
async fn clean_one(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    OptionalBody(asked): OptionalBody<CleanWorkspaces>,
) -> Result<Json<Cleaned>, Failure> {
    let task = app.engine.task(TaskId::new(id)).await?;
    Ok(Json(clean(&app, &caller, task, asked.dry_run).await?))
}

/// Removes the workspaces of all tasks that have ended, or says what that would do. Orphans are named and left alone.
#[utoipa::path(post, path = "/workspaces/clean", tag = "workspaces", operation_id = "clean_workspaces",
    request_body = CleanWorkspaces,
    responses((status = 200, description = "What became of each, or would.", body = Page<Cleaned>)))]
async fn clean_all(
    State(app): State<App>,
    caller: Caller,
    OptionalBody(asked): OptionalBody<CleanWorkspaces>,
) -> Result<Json<Page<Cleaned>>, Failure> {
    caller.admin()?;
    let mut items = Vec::new();
    for task in app.engine.ended_with_workspace().await? {
        items.push(clean(&app, &caller, task, asked.dry_run).await?);
    }
    let orphans = app.engine.orphans().await?;
    items.extend(orphans.iter().map(convert::upkeep::left_alone));
    Ok(Json(Page { items, next_cursor: None }))
}

/// Directories under the workspace root that belong to no live task. Forge never deletes them by itself.
#[utoipa::path(get, path = "/workspaces/orphans", tag = "workspaces", operation_id = "list_orphans",
    responses((status = 200, description = "All of them.", body = Page<Orphan>)))]
async fn orphans(State(app): State<App>, caller: Caller) -> Result<Json<Page<Orphan>>, Failure> {
    caller.admin()?;
    let items = app.engine.orphans().await?.iter().map(convert::upkeep::orphan).collect();
    Ok(Json(Page { items, next_cursor: None }))
}

async fn clean(
    app: &App,
    caller: &Caller,
    task: Snapshot,
    dry_run: bool,
) -> Result<Cleaned, Failure> {
    let id = task.id;
    if dry_run {
        let considered = app.engine.consider_removal(caller.actor.clone(), task).await?;
        return Ok(convert::upkeep::removal(considered));
    }
    let considered = app.engine.allow_removal(caller.actor.clone(), task).await?;
    let mut answer = convert::upkeep::removal(considered);
    if answer.verdict == CleanVerdict::Blocked {
        return Ok(answer);
    }
    caller.writer()?;
    app.engine.handle(caller.actor.clone(), id, Command::CleanWorkspace).await?;
    let is_gone = |task: &Snapshot| {
        let known = task.workspace.as_ref();
        known.is_none_or(|workspace| workspace.status == WorkspaceStatus::Cleaned)
    };
    // Its content is saved behind the answer.
    let after = app.reached(id, |task| is_gone(task) || !task.is_settling()).await?;
    let gone = is_gone(&after);
    answer.verdict = if gone { CleanVerdict::Removed } else { CleanVerdict::Failed };
    Ok(answer)
}
