//! Looking after agents (T-13, T-22).

use axum::Json;
use axum::extract::State;
use forge_api::{
    AgentsCheck, FailExecution, Pulse, Rescued, RestartExecution, RestartMode, StopExecution,
};
use forge_domain::task::Snapshot;
use forge_domain::{Command, ExecutionId};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::executions;
use crate::app::App;
use crate::caller::Caller;
use crate::convert;
use crate::failure::Failure;
use crate::input::{OptionalBody, Path};

/// What an agent is told that goes on where it was.
const GO_ON: &str = "Go on with the task where you were.";

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(check))
        .routes(routes!(pulse))
        .routes(routes!(stop))
        .routes(routes!(restart))
        .routes(routes!(mark_failed))
}

/// Who works, who is stuck, what failed and what was left, each with what tells so and for how long.
#[utoipa::path(get, path = "/agents/check", tag = "agents", operation_id = "check_agents",
    responses((status = 200, description = "All at a glance.", body = AgentsCheck)))]
async fn check(State(app): State<App>, caller: Caller) -> Result<Json<AgentsCheck>, Failure> {
    let found = app.engine.check_agents(caller.confined()).await?;
    Ok(Json(convert::rescue::check(found, app.engine.now())))
}

/// How a run is doing: its last sign of life, what it said, what it does and changes. Secrets are masked.
#[utoipa::path(get, path = "/executions/{id}/pulse", tag = "executions", operation_id = "get_pulse",
    params(("id" = Uuid, Path, description = "The execution.")),
    responses((status = 200, description = "The pulse.", body = Pulse)))]
async fn pulse(State(app): State<App>, Path(id): Path<Uuid>) -> Result<Json<Pulse>, Failure> {
    let row = executions::found(&app, ExecutionId::new(id)).await?;
    let task = app.engine.task(row.task_id).await?;
    let found = app.engine.pulse(&task, &row).await?;
    let execution = executions::of_task(&app, &task, row.id).await?;
    Ok(Json(convert::rescue::pulse(found, execution, app.engine.now())))
}

/// Stops a run. The task stays where it is, and nothing goes on by itself: begin the run anew, or move the task.
#[utoipa::path(post, path = "/executions/{id}/stop", tag = "executions", operation_id = "stop_execution",
    params(("id" = Uuid, Path, description = "The execution.")), request_body = StopExecution,
    responses((status = 200, description = "Its processes are gone.", body = Rescued)))]
async fn stop(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    OptionalBody(asked): OptionalBody<StopExecution>,
) -> Result<Json<Rescued>, Failure> {
    let execution = ExecutionId::new(id);
    let command = Command::StopRun { execution, reason: asked.reason };
    let task = carried_out(&app, caller, execution, command).await?;
    rescued(&app, &task, execution).await
}

/// Begins the last run of a task anew, with the work as it is; one under way is stopped first. From where a failed run
/// parked its task, the task goes back to the work.
#[utoipa::path(post, path = "/executions/{id}/restart", tag = "executions", operation_id = "restart_execution",
    params(("id" = Uuid, Path, description = "The execution.")), request_body = RestartExecution,
    responses((status = 200, description = "The new run.", body = Rescued)))]
async fn restart(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    OptionalBody(asked): OptionalBody<RestartExecution>,
) -> Result<Json<Rescued>, Failure> {
    let execution = ExecutionId::new(id);
    if asked.mode == RestartMode::Resume {
        return resume(&app, caller, execution).await;
    }
    let task = carried_out(&app, caller, execution, Command::Restart { execution }).await?;
    let fresh = task.last_run.as_ref().map_or(execution, |run| run.execution);
    rescued(&app, &task, fresh).await
}

/// Takes a run for failed, whatever it says: it is stopped, and its task goes where failed ones go.
#[utoipa::path(post, path = "/executions/{id}/mark-failed", tag = "executions", operation_id = "fail_execution",
    params(("id" = Uuid, Path, description = "The execution.")), request_body = FailExecution,
    responses((status = 200, description = "Its processes are gone.", body = Rescued)))]
async fn mark_failed(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    OptionalBody(asked): OptionalBody<FailExecution>,
) -> Result<Json<Rescued>, Failure> {
    let execution = ExecutionId::new(id);
    let command = Command::MarkFailed { execution, reason: asked.reason };
    let task = carried_out(&app, caller, execution, command).await?;
    rescued(&app, &task, execution).await
}

/// Goes on with the run's conversation; one under way is stopped first.
async fn resume(
    app: &App,
    caller: Caller,
    execution: ExecutionId,
) -> Result<Json<Rescued>, Failure> {
    let id = executions::found(app, execution).await?.task_id;
    app.engine.conversation_of(execution).await?;
    let under_way = app.engine.task(id).await?.run;
    if under_way.is_some_and(|run| run.execution == execution) {
        let command = Command::StopRun { execution, reason: None };
        app.engine.handle(caller.actor.clone(), id, command).await?;
        app.settled(id).await?;
    }
    let task = app.engine.follow_up(caller.actor, execution, GO_ON.to_owned()).await?;
    let new = task.run.as_ref().map_or(execution, |run| run.execution);
    rescued(app, &task, new).await
}

async fn carried_out(
    app: &App,
    caller: Caller,
    execution: ExecutionId,
    command: Command,
) -> Result<Snapshot, Failure> {
    let task = executions::found(app, execution).await?.task_id;
    app.engine.handle(caller.actor, task, command).await?;
    app.settled(task).await
}

async fn rescued(
    app: &App,
    task: &Snapshot,
    execution: ExecutionId,
) -> Result<Json<Rescued>, Failure> {
    let execution = executions::of_task(app, task, execution).await?;
    Ok(Json(Rescued { task: convert::task::task(task), execution }))
}
