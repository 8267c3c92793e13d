//! The route to assign roles (T-14).

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use forge_api::{AssignRole, Task, actions};
use forge_domain::workflow::RoleName;
use forge_domain::{Effect, ResetScope, TaskCommand, TaskId};
use http::StatusCode;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::{JsonBody, Path};
use crate::routes::action_route::{ActionRoute, action_routes};
use crate::routes::task::role_holder;

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        ASSIGN_ROLE => assign,
    ]
}

/// Assign a role to an agent or a user
///
/// If the role carries the task, its current execution is stopped before the answer, and the task goes back to its
/// queue. A requested reset is done before the answer; otherwise the answer is 202 and the effect is in the task's
/// list of effects.
#[utoipa::path(post, path = actions::ASSIGN_ROLE.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task."),
           ("role" = String, Path, description = "A role of the task's workflow.")),
    request_body = AssignRole,
    responses((status = 200, description = "The task.", body = Task),
              (status = 202, description = "The task; the reset is pending.", body = Task)))]
async fn assign(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, role)): Path<(Uuid, String)>,
    JsonBody(asked): JsonBody<AssignRole>,
) -> Result<Response, ApiError> {
    let reset = match (asked.reset_workspace, asked.reset_worktree) {
        (true, _) => ResetScope::Workspace,
        (false, true) => ResetScope::Worktree,
        (false, false) => ResetScope::Nothing,
    };
    let task = app.engine.records().task(TaskId::new(id)).await?;
    let (task, project) = (task.id, task.project_id);
    let command = TaskCommand::Assign {
        role: RoleName::new(role),
        assignee: role_holder::load_assignee(&app, &caller, Some(project), asked.assignee).await?,
        reset,
    };
    app.engine.commands().handle(caller.actor, task, command).await?;
    let settled = app.wait_until_settled(task).await?;
    if reset == ResetScope::Nothing {
        return Ok(Json(convert::tasks::task::task(&settled)).into_response());
    }
    let is_reset = |effect: &Effect| {
        matches!(effect, Effect::ResetWorktree | Effect::CleanWorkspace { retire_branch: true })
    };
    let status = match app.wait_for_reset(task, is_reset).await? {
        true => StatusCode::OK,
        false => StatusCode::ACCEPTED,
    };
    let now = app.engine.records().task(task).await?;
    Ok((status, Json(convert::tasks::task::task(&now))).into_response())
}
