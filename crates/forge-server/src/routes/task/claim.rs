//! The route to claim a task (T-3 to T-5).

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use forge_api::{ClaimRequest, ClaimResponse, actions};
use forge_domain::task::{ExecutionOverrides, TaskSnapshot};
use forge_domain::{Actor, AgentId, Assignee, ExecutionId, Refusal, TaskCommand, TaskId};
use forge_engine::{ClaimProgress, EngineError};
use forge_store::tables::execution_tokens::ExecutionTokenOwner;
use http::StatusCode;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert;
use crate::convert::tasks::claim_overrides::execution_overrides;
use crate::convert::text::invalid_field_value;
use crate::error::api_error::ApiError;
use crate::error::engine_error::internal_error;
use crate::input::prefer::{PreferHeader, accepted_response};
use crate::input::{OptionalJsonBody, Path};
use crate::routes::action_route::{ActionRoute, action_routes};
use crate::routes::execution::executions;

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        CLAIM_TASK => claim,
    ]
}

/// Claim a task for an agent or for the caller
///
/// Answers once the workspace is ready. After a handoff it waits for the end of the last execution.
#[utoipa::path(post, path = actions::CLAIM_TASK.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task."),
           ("Prefer" = Option<String>, Header, description = "`respond-async`: do not wait.")),
    request_body = ClaimRequest,
    responses((status = 200, description = "Claimed, the workspace is ready.", body = ClaimResponse),
              (status = 202, description = "Claimed; the workspace is being made, or has to wait: for space on the disk, \
                or for the task that has the project's one directory.", body = ClaimResponse)))]
async fn claim(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    prefer: PreferHeader,
    OptionalJsonBody(asked): OptionalJsonBody<ClaimRequest>,
) -> Result<Response, ApiError> {
    let task = TaskId::new(id);
    let overrides = asked.overrides.map(execution_overrides).unwrap_or_default();
    let agent = match (asked.agent_id, caller.execution()) {
        (Some(agent), _) => Some(AgentId::new(agent)),
        (None, Some(planner)) => Some(usual_agent(&app, task, planner).await?),
        (None, None) => None,
    };
    let command = match agent {
        Some(agent) => agent_claim(&app, &caller, task, agent, overrides).await?,
        None if overrides.is_empty() => {
            TaskCommand::Claim { claimer: Assignee::User { id: caller.require_user()?.id } }
        }
        None => {
            let problem = "a claim for yourself starts no program; name an agent in agent_id, or leave it out";
            return Err(invalid_field_value("overrides", problem));
        }
    };
    let claimed = claim_when_free(&app, caller.actor, task, command).await?;
    let Some(execution) = claimed.run.as_ref().map(|run| run.execution) else {
        return Err(internal_error(&format!("the claim of {task} created no execution")));
    };
    if prefer.respond_async {
        return Ok(accepted_response(answer(&app, &claimed, execution).await?));
    }
    match app.wait_within_limit(app.engine.progress().wait_for_claim(task, execution)).await? {
        ClaimProgress::Ready(task) => {
            Ok(Json(answer(&app, &task, execution).await?).into_response())
        }
        ClaimProgress::Waiting(task) => {
            let body = answer(&app, &task, execution).await?;
            Ok((StatusCode::ACCEPTED, Json(body)).into_response())
        }
    }
}

/// The claim for an agent that the caller may use, whose program is installed and can apply the overrides.
async fn agent_claim(
    app: &AppState,
    caller: &Caller,
    task: TaskId,
    agent: AgentId,
    overrides: ExecutionOverrides,
) -> Result<TaskCommand, ApiError> {
    let project = app.engine.records().task(task).await?.project_id;
    let row = caller.usable_agent(app, agent, Some(project)).await?;
    let programs = app.engine.agent_programs();
    programs.check_claimer_program(agent, task).await?;
    if overrides.is_empty() {
        return Ok(TaskCommand::Claim { claimer: Assignee::Agent { id: agent } });
    }
    let overrides = caller.require_policy_override(app, &row, overrides).await?;
    programs.check_overrides(&row, &overrides)?;
    Ok(TaskCommand::ClaimWithOverrides { agent, overrides: Box::new(overrides) })
}

/// The agent for which a planner claims a subtask without naming one: the one that has the role, else its own.
async fn usual_agent(
    app: &AppState,
    task: TaskId,
    owner: ExecutionTokenOwner,
) -> Result<AgentId, ApiError> {
    let task = app.engine.records().task(task).await?;
    let workflow = app.engine.records().workflow(&task.workflow).await?;
    let holder = workflow.claim_role().and_then(|role| task.roles.get(&role).copied());
    Ok(holder.and_then(|holder| holder.agent()).unwrap_or(owner.agent_id))
}

/// Claims the task. After a handoff or a move, a task can be in its queue while its last execution is still being
/// stopped: the claim waits for that, which takes at most as long as a stop.
async fn claim_when_free(
    app: &AppState,
    actor: Actor,
    task: TaskId,
    command: TaskCommand,
) -> Result<TaskSnapshot, ApiError> {
    loop {
        match app.engine.commands().handle(actor.clone(), task, command.clone()).await {
            Err(EngineError::Refused(Refusal::ExecutionEnding)) => {
                app.wait_for_task(task, |task| !task.is_ending()).await?;
            }
            claimed => return Ok(claimed?),
        }
    }
}

async fn answer(
    app: &AppState,
    task: &TaskSnapshot,
    execution: ExecutionId,
) -> Result<ClaimResponse, ApiError> {
    Ok(ClaimResponse {
        task: convert::tasks::task::task(task),
        execution: executions::task_execution(app, task, execution).await?,
    })
}
