//! Who holds a role (T-14).

use axum::Json;
use axum::extract::State;
use forge_api::{AssignRole, Task};
use forge_domain::workflow::RoleName;
use forge_domain::{Command, Reset, TaskId};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::holder;
use crate::app::App;
use crate::caller::Caller;
use crate::convert;
use crate::failure::Failure;
use crate::input::{Body, Path};

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(assign))
}

/// Gives a role to an agent or a person. Whoever works in the role that carries the task is stopped before the answer,
/// and the task goes back to its queue.
#[utoipa::path(post, path = "/tasks/{id}/roles/{role}", tag = "tasks", operation_id = "assign_role",
    params(("id" = Uuid, Path, description = "The task."),
           ("role" = String, Path, description = "A role of the task's workflow.")),
    request_body = AssignRole,
    responses((status = 200, description = "The task.", body = Task)))]
async fn assign(
    State(app): State<App>,
    caller: Caller,
    Path((id, role)): Path<(Uuid, String)>,
    Body(asked): Body<AssignRole>,
) -> Result<Json<Task>, Failure> {
    let reset = match (asked.reset_workspace, asked.reset_worktree) {
        (true, _) => Reset::Workspace,
        (false, true) => Reset::Worktree,
        (false, false) => Reset::Nothing,
    };
    let task = app.engine.task(TaskId::new(id)).await?.id;
    let command = Command::Assign {
        role: RoleName::new(role),
        assignee: holder::existing(&app, asked.assignee).await?,
        reset,
    };
    app.engine.handle(caller.actor, task, command).await?;
    let settled = app.settled(task).await?;
    Ok(Json(convert::task::task(&settled)))
}
