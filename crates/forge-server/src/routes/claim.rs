//! Claiming a task (T-3 to T-5).

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use forge_api::{Claim, Claimed};
use forge_domain::task::{Activity, Snapshot};
use forge_domain::{AgentId, Assignee, Command, ExecutionId, TaskId};
use serde_json::{Map, Value};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::executions;
use crate::app::App;
use crate::caller::Caller;
use crate::convert;
use crate::failure::Failure;
use crate::input::{OptionalBody, Path};
use crate::prefer::{Prefer, accepted};
use crate::refusal::internal;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(claim))
}

/// Claims a task for an agent, or for the caller; answers once the workspace is ready.
#[utoipa::path(post, path = "/tasks/{id}/claim", tag = "tasks", operation_id = "claim_task",
    params(("id" = Uuid, Path, description = "The task."),
           ("Prefer" = Option<String>, Header, description = "`respond-async`: do not wait.")),
    request_body = Claim,
    responses((status = 200, description = "Claimed, the workspace is ready.", body = Claimed),
              (status = 202, description = "Claimed, the workspace is being made.", body = Claimed)))]
async fn claim(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    prefer: Prefer,
    OptionalBody(asked): OptionalBody<Claim>,
) -> Result<Response, Failure> {
    refuse_overrides(asked.overrides.as_ref())?;
    let claimer = match asked.agent_id {
        Some(agent) => Assignee::Agent { id: AgentId::new(agent) },
        None => Assignee::User { id: caller.person()?.id },
    };
    let task = TaskId::new(id);
    let command = Command::Claim { claimer };
    let claimed = app.engine.handle(caller.actor, task, command).await?;
    let Some(execution) = claimed.run.as_ref().map(|run| run.execution) else {
        return Err(internal(&format!("the claim of {task} opened no execution")));
    };
    if prefer.respond_async {
        return Ok(accepted(answer(&app, &claimed, execution).await?));
    }
    let preparing = Some(Activity::Preparing { execution });
    let ready = app.reached(task, |task| task.activity != preparing).await?;
    Ok(Json(answer(&app, &ready, execution).await?).into_response())
}

async fn answer(app: &App, task: &Snapshot, execution: ExecutionId) -> Result<Claimed, Failure> {
    Ok(Claimed {
        task: convert::task::task(task),
        execution: executions::of_task(app, task, execution).await?,
    })
}

/// Ignoring them would run the agent in another way than was asked for.
fn refuse_overrides(overrides: Option<&Map<String, Value>>) -> Result<(), Failure> {
    match overrides {
        Some(fields) if !fields.is_empty() => Err(convert::text::invalid(
            "overrides",
            "overrides of the executor are not available yet; leave them out, or change the agent",
        )),
        _ => Ok(()),
    }
}
