//! Moving a task through its workflow (T-8 to T-10), and calling it off (T-12).

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use forge_api::{Cancel, Page, PageQuery, Task, Transition, TransitionAnswer, TransitionRequest};
use forge_domain::task::{Activity, Snapshot};
use forge_domain::workflow::{Behaviour, StateName};
use forge_domain::{Command, TaskId};
use forge_store::tables;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::caller::Caller;
use crate::convert;
use crate::failure::Failure;
use crate::input::{Body, OptionalBody, Path, Query};
use crate::paging;
use crate::prefer::{Prefer, accepted};

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(transition))
        .routes(routes!(cancel))
        .routes(routes!(transitions))
}

/// Moves a task. Into a gate, the answer is `{task, review}` once the checks have run; into a merge state, the task
/// after the landing.
#[utoipa::path(post, path = "/tasks/{id}/transition", tag = "tasks", operation_id = "move_task",
    params(("id" = Uuid, Path, description = "The task."),
           ("Prefer" = Option<String>, Header, description = "`respond-async`: do not wait.")),
    request_body = TransitionRequest,
    responses((status = 200, description = "Moved, and what followed has ended.", body = TransitionAnswer),
              (status = 202, description = "Moved; `step` is still to be done.", body = TransitionAnswer)))]
async fn transition(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    prefer: Prefer,
    Body(asked): Body<TransitionRequest>,
) -> Result<Response, Failure> {
    let command = Command::Move {
        to: StateName::new(asked.status),
        version: convert::task::asked_version(asked.version),
        reason: asked.reason,
    };
    let task = TaskId::new(id);
    let moved = app.engine.handle(caller.actor, task, command).await?;
    if prefer.respond_async
        && let Some(step) = step_of(&app, &moved).await?
    {
        let task = Box::new(convert::task::task(&moved));
        return Ok(accepted(TransitionAnswer::Pending { task, step }));
    }
    let answer = match attempt_of(&app, &moved).await? {
        Some(attempt) => at_gate(&app, task, attempt).await?,
        None => TransitionAnswer::Task(Box::new(convert::task::task(&app.settled(task).await?))),
    };
    Ok(Json(answer).into_response())
}

/// The first thing to do for a move that still is to be done; else the first there was.
async fn step_of(app: &App, moved: &Snapshot) -> Result<Option<Box<forge_api::Step>>, Failure> {
    let rows = tables::effects::list_of_task(app.engine.db(), moved.id).await?;
    let of_move: Vec<_> = rows.iter().filter(|row| row.visit == moved.visit).collect();
    let first = of_move.iter().find(|row| row.open).or(of_move.first());
    Ok(first.map(|row| Box::new(convert::step::step(row, app.engine.now()))))
}

/// Which attempt at a gate the move makes, if it leads into one: begun already, or the next once what was under way
/// has been stopped.
async fn attempt_of(app: &App, moved: &Snapshot) -> Result<Option<u32>, Failure> {
    let workflow = app.engine.workflow(&moved.workflow).await?;
    let gate = workflow
        .state(&moved.state)
        .is_some_and(|state| matches!(state.behaviour, Behaviour::Gate { .. }));
    Ok(gate.then_some(match moved.activity {
        Some(Activity::Checking { .. }) => moved.attempts,
        _ => moved.attempts + 1,
    }))
}

/// The answer once the checks of this attempt are over and all is quiet, or the next attempt has begun.
async fn at_gate(app: &App, task: TaskId, attempt: u32) -> Result<TransitionAnswer, Failure> {
    let after = app.reached(task, |task| !task.is_settling() || task.attempts > attempt).await?;
    let reviews = tables::reviews::list_of_task(app.engine.db(), task).await?;
    let own = reviews.into_iter().find(|row| row.attempt == attempt);
    let task = Box::new(convert::task::task(&after));
    Ok(match own {
        Some(row) => {
            TransitionAnswer::Gate { task, review: Box::new(convert::review::review(row)) }
        }
        // Somebody moved the task on before its checks could begin.
        None => TransitionAnswer::Task(task),
    })
}

/// Ends a task; its processes are gone before the answer.
#[utoipa::path(post, path = "/tasks/{id}/cancel", tag = "tasks", operation_id = "cancel_task",
    params(("id" = Uuid, Path, description = "The task.")), request_body = Cancel,
    responses((status = 200, description = "The task.", body = Task)))]
async fn cancel(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    OptionalBody(asked): OptionalBody<Cancel>,
) -> Result<Json<Task>, Failure> {
    let task = TaskId::new(id);
    let command = Command::Cancel { reason: asked.reason };
    app.engine.handle(caller.actor, task, command).await?;
    let ended = app.settled(task).await?;
    Ok(Json(convert::task::task(&ended)))
}

/// Every change of the task's status, the first one first.
#[utoipa::path(get, path = "/tasks/{id}/transitions", tag = "tasks", operation_id = "list_transitions",
    params(("id" = Uuid, Path, description = "The task."), PageQuery),
    responses((status = 200, description = "One page.", body = Page<Transition>)))]
async fn transitions(
    State(app): State<App>,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<Transition>>, Failure> {
    let task = app.engine.task(TaskId::new(id)).await?;
    let order = tables::transitions::ORDER;
    let page = paging::asked(order, query.limit, query.cursor.as_deref())?;
    let found = tables::transitions::list_of_task(app.engine.db(), task.id, &page).await?;
    Ok(Json(paging::page(found, |row| convert::transition::transition(&row))))
}
