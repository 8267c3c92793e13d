//! Routes to check, stop and restart executions (T-13, T-22).

use axum::Json;
use axum::extract::State;
use forge_api::{
    AgentsCheck, ExecutionPulse, FailExecution, RescueResponse, RestartExecution, RestartMode,
    StopExecution, actions,
};
use forge_domain::task::TaskSnapshot;
use forge_domain::{ExecutionId, TaskCommand};
use forge_engine::AgentsOverviewEntry;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::{OptionalJsonBody, Path};
use crate::routes::action_route::{ActionRoute, action_routes};
use crate::routes::execution::executions;

/// The message for an agent that continues its conversation.
const CONTINUE_MESSAGE: &str = "Go on with the task where you were.";

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        CHECK_AGENTS => check,
        GET_PULSE => pulse,
        STOP_EXECUTION => stop,
        RESTART_EXECUTION => restart,
        FAIL_EXECUTION => mark_failed,
    ]
}

/// Show an overview of executions and workspaces
///
/// Agents that work or are stuck, failed tasks, tasks that wait for a person and abandoned workspaces, each with its
/// evidence, its age and the next commands.
#[utoipa::path(get, path = actions::CHECK_AGENTS.path, tag = "agents",
    responses((status = 200, description = "The overview.", body = AgentsCheck)))]
async fn check(State(app): State<AppState>, caller: Caller) -> Result<Json<AgentsCheck>, ApiError> {
    let member = caller.membership_filter().filter(|_| caller.user.is_some());
    let found = app.engine.agent_supervision().load_agents_overview(member).await?;
    // A planner sees its subtasks.
    let own = caller.execution().map(|owner| owner.task_id);
    let list = async |items: Vec<AgentsOverviewEntry>| {
        let mut list = Vec::with_capacity(items.len());
        for item in items.iter().filter(|item| own.is_none() || item.task.parent == own) {
            let next =
                app.engine.needs_person().next_steps_anywhere(&caller.actor, &item.task).await?;
            list.push(convert::executions::execution_control::finding(
                item,
                &next,
                app.engine.now(),
            ));
        }
        Ok::<_, ApiError>(list)
    };
    Ok(Json(AgentsCheck {
        running: list(found.running).await?,
        stuck: list(found.stuck).await?,
        failed: list(found.failed).await?,
        waiting: list(found.waiting).await?,
        abandoned: list(found.abandoned).await?,
    }))
}

/// Show the activity of an execution
///
/// Its last output, current tool and changed files. Secrets are redacted.
#[utoipa::path(get, path = actions::GET_PULSE.path, tag = "executions",
    params(("id" = Uuid, Path, description = "The execution.")),
    responses((status = 200, description = "The activity of the execution.", body = ExecutionPulse)))]
async fn pulse(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
) -> Result<Json<ExecutionPulse>, ApiError> {
    let row = executions::load_execution(&app, ExecutionId::new(id)).await?;
    let task = app.engine.records().task(row.task_id).await?;
    let found = app.engine.agent_supervision().load_execution_activity(&task, &row).await?;
    let execution = executions::task_execution(&app, &task, row.id).await?;
    Ok(Json(convert::executions::execution_control::pulse(found, execution, app.engine.now())))
}

/// Stop an execution
///
/// The task stays in its state, and Forge starts nothing by itself: restart the execution, or move the task.
#[utoipa::path(post, path = actions::STOP_EXECUTION.path, tag = "executions",
    params(("id" = Uuid, Path, description = "The execution.")), request_body = StopExecution,
    responses((status = 200, description = "The processes of the execution have ended.", body = RescueResponse)))]
async fn stop(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    OptionalJsonBody(asked): OptionalJsonBody<StopExecution>,
) -> Result<Json<RescueResponse>, ApiError> {
    let execution = ExecutionId::new(id);
    let command = TaskCommand::StopRun { execution, reason: asked.reason };
    let task = perform_command(&app, caller, execution, command).await?;
    rescue_response(&app, &task, execution).await
}

/// Restart the last execution of a task
///
/// It starts with the current files; a running execution is stopped first. A task that a failed execution parked goes
/// back to work.
#[utoipa::path(post, path = actions::RESTART_EXECUTION.path, tag = "executions",
    params(("id" = Uuid, Path, description = "The execution.")), request_body = RestartExecution,
    responses((status = 200, description = "The new execution.", body = RescueResponse)))]
async fn restart(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    OptionalJsonBody(asked): OptionalJsonBody<RestartExecution>,
) -> Result<Json<RescueResponse>, ApiError> {
    let execution = ExecutionId::new(id);
    if asked.mode == RestartMode::Resume {
        return resume(&app, caller, execution).await;
    }
    let task = perform_command(&app, caller, execution, TaskCommand::Restart { execution }).await?;
    let fresh = task.last_run.as_ref().map_or(execution, |run| run.execution);
    rescue_response(&app, &task, fresh).await
}

/// Mark an execution as failed
///
/// Whatever it reports: it is stopped, and its task moves to the state for failed work.
#[utoipa::path(post, path = actions::FAIL_EXECUTION.path, tag = "executions",
    params(("id" = Uuid, Path, description = "The execution.")), request_body = FailExecution,
    responses((status = 200, description = "The processes of the execution have ended.", body = RescueResponse)))]
async fn mark_failed(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    OptionalJsonBody(asked): OptionalJsonBody<FailExecution>,
) -> Result<Json<RescueResponse>, ApiError> {
    let execution = ExecutionId::new(id);
    let command = TaskCommand::MarkFailed { execution, reason: asked.reason };
    let task = perform_command(&app, caller, execution, command).await?;
    rescue_response(&app, &task, execution).await
}

/// Continues the execution's conversation; a running execution is stopped first.
async fn resume(
    app: &AppState,
    caller: Caller,
    execution: ExecutionId,
) -> Result<Json<RescueResponse>, ApiError> {
    let id = executions::load_execution(app, execution).await?.task_id;
    app.engine.agent_messages().load_session(execution).await?;
    let under_way = app.engine.records().task(id).await?.run;
    if under_way.is_some_and(|run| run.execution == execution) {
        let command = TaskCommand::StopRun { execution, reason: None };
        app.engine.commands().handle(caller.actor.clone(), id, command).await?;
        app.wait_until_settled(id).await?;
    }
    let task = app
        .engine
        .agent_messages()
        .follow_up(caller.actor, execution, CONTINUE_MESSAGE.to_owned())
        .await?;
    let new = task.run.as_ref().map_or(execution, |run| run.execution);
    rescue_response(app, &task, new).await
}

async fn perform_command(
    app: &AppState,
    caller: Caller,
    execution: ExecutionId,
    command: TaskCommand,
) -> Result<TaskSnapshot, ApiError> {
    let task = executions::load_execution(app, execution).await?.task_id;
    app.engine.commands().handle(caller.actor, task, command).await?;
    app.wait_until_settled(task).await
}

async fn rescue_response(
    app: &AppState,
    task: &TaskSnapshot,
    execution: ExecutionId,
) -> Result<Json<RescueResponse>, ApiError> {
    let execution = executions::task_execution(app, task, execution).await?;
    Ok(Json(RescueResponse { task: convert::tasks::task::task(task), execution }))
}
