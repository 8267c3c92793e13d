//! Routes to move a task through its workflow (T-8 to T-10), and to cancel it (T-12).

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use forge_api::{
    CancelRequest, CompleteTask, ErrorCode, Page, PageQuery, Task, Transition, TransitionRequest,
    TransitionResponse, actions,
};
use forge_domain::task::{AnnotationType, TaskActivity, TaskSnapshot};
use forge_domain::workflow::{StateBehaviour, StateName};
use forge_domain::{TaskCommand, TaskId};
use forge_store::tables;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::paging;
use crate::input::prefer::{PreferHeader, accepted_response};
use crate::input::{JsonBody, OptionalJsonBody, Path, Query};
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        MOVE_TASK => transition,
        COMPLETE_TASK => complete,
        CANCEL_TASK => cancel,
        LIST_TRANSITIONS => transitions,
    ]
}

/// Move a task to another state
///
/// Into a gate, the answer is `{task, review}` once the checks have run; into a merge state, the task after the
/// landing.
#[utoipa::path(post, path = actions::MOVE_TASK.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task."),
           ("Prefer" = Option<String>, Header, description = "`respond-async`: do not wait.")),
    request_body = TransitionRequest,
    responses((status = 200, description = "Moved, and the work that followed has ended.", body = TransitionResponse),
              (status = 202, description = "Moved; the effect in `step` is pending.", body = TransitionResponse)))]
async fn transition(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    prefer: PreferHeader,
    JsonBody(asked): JsonBody<TransitionRequest>,
) -> Result<Response, ApiError> {
    let command = TaskCommand::Move {
        to: StateName::new(asked.status),
        version: asked.version.map(convert::tasks::task::row_version),
        reason: asked.reason,
    };
    move_task(&app, caller, TaskId::new(id), command, prefer).await
}

/// Hand in the work on a task
///
/// For the user or the execution that works on it: the task moves along the `done` edge of its state. Into a gate, the
/// answer is `{task, review}` once the checks have run.
#[utoipa::path(post, path = actions::COMPLETE_TASK.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task."),
           ("Prefer" = Option<String>, Header, description = "`respond-async`: do not wait.")),
    request_body = CompleteTask,
    responses((status = 200, description = "Moved, and the work that followed has ended.", body = TransitionResponse),
              (status = 202, description = "Moved; the effect in `step` is pending.", body = TransitionResponse)))]
async fn complete(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    prefer: PreferHeader,
    OptionalJsonBody(asked): OptionalJsonBody<CompleteTask>,
) -> Result<Response, ApiError> {
    let command = TaskCommand::Complete {
        version: asked.version.map(convert::tasks::task::row_version),
        reason: asked.reason,
    };
    move_task(&app, caller, TaskId::new(id), command, prefer).await
}

/// Performs a move and waits for the work that follows, unless the caller prefers not to.
async fn move_task(
    app: &AppState,
    caller: Caller,
    task: TaskId,
    command: TaskCommand,
    prefer: PreferHeader,
) -> Result<Response, ApiError> {
    let moved = app.engine.commands().handle(caller.actor, task, command).await?;
    if prefer.respond_async
        && let Some(step) = first_effect(app, &moved).await?
    {
        let task = Box::new(convert::tasks::task::task(&moved));
        return Ok(accepted_response(TransitionResponse::Pending { task, step }));
    }
    let answer = match started_attempt(app, &moved).await? {
        Some(attempt) => wait_for_gate(app, task, attempt).await?,
        None => {
            let settled = app.wait_until_settled(task).await?;
            if let Some(locked) = target_locked(&settled) {
                return Err(locked);
            }
            TransitionResponse::Task(Box::new(convert::tasks::task::task(&settled)))
        }
    };
    Ok(Json(answer).into_response())
}

/// The error for a landing that waits for another git process to release its target; the landing continues by itself.
fn target_locked(task: &TaskSnapshot) -> Option<ApiError> {
    let found = task.annotation.as_ref()?;
    let waits =
        found.kind == AnnotationType::TargetLocked && task.activity == Some(TaskActivity::Landing);
    waits.then(|| {
        ApiError::new(ErrorCode::TargetLocked, found.message.clone())
            .with_details(found.details.clone())
            .retry_after(5)
    })
}

/// The first pending effect of a move; otherwise its first effect.
async fn first_effect(
    app: &AppState,
    moved: &TaskSnapshot,
) -> Result<Option<Box<forge_api::EffectView>>, ApiError> {
    let rows = tables::effects::list_of_task(app.engine.db(), moved.id).await?;
    let of_move: Vec<_> = rows.iter().filter(|row| row.visit == moved.visit).collect();
    let first = of_move.iter().find(|row| row.open).or(of_move.first());
    Ok(first.map(|row| Box::new(convert::tasks::effect::effect(row, app.engine.now()))))
}

/// The number of the attempt that the move starts, if it leads into a gate: already started, or the next one after
/// running work has been stopped.
async fn started_attempt(app: &AppState, moved: &TaskSnapshot) -> Result<Option<u32>, ApiError> {
    let workflow = app.engine.records().workflow(&moved.workflow).await?;
    let gate = workflow
        .state(&moved.state)
        .is_some_and(|state| matches!(state.behaviour, StateBehaviour::Gate { .. }));
    Ok(gate.then_some(match moved.activity {
        Some(TaskActivity::Checking { .. }) => moved.attempts,
        _ => moved.attempts + 1,
    }))
}

/// The answer once the checks of this attempt are over and no effect is pending, or the next attempt has started.
async fn wait_for_gate(
    app: &AppState,
    task: TaskId,
    attempt: u32,
) -> Result<TransitionResponse, ApiError> {
    let after =
        app.wait_for_task(task, |task| !task.is_settling() || task.attempts > attempt).await?;
    let reviews = tables::reviews::list_of_task(app.engine.db(), task).await?;
    let own = reviews.into_iter().find(|row| row.attempt == attempt);
    let task = Box::new(convert::tasks::task::task(&after));
    Ok(match own {
        Some(row) => TransitionResponse::Gate {
            task,
            review: Box::new(convert::landing::review::review(row)),
        },
        // The task moved on before its checks could start.
        None => TransitionResponse::Task(task),
    })
}

/// Cancel a task
///
/// Its processes are gone before the answer.
#[utoipa::path(post, path = actions::CANCEL_TASK.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task.")), request_body = CancelRequest,
    responses((status = 200, description = "The task.", body = Task)))]
async fn cancel(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    OptionalJsonBody(asked): OptionalJsonBody<CancelRequest>,
) -> Result<Json<Task>, ApiError> {
    let task = TaskId::new(id);
    let command = TaskCommand::Cancel { reason: asked.reason };
    app.engine.commands().handle(caller.actor, task, command).await?;
    let ended = app.wait_until_settled(task).await?;
    Ok(Json(convert::tasks::task::task(&ended)))
}

/// List every change of a task's status
///
/// Oldest first.
#[utoipa::path(get, path = actions::LIST_TRANSITIONS.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task."), PageQuery),
    responses((status = 200, description = "One page.", body = Page<Transition>)))]
async fn transitions(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<Transition>>, ApiError> {
    let task = app.engine.records().task(TaskId::new(id)).await?;
    let order = tables::transitions::ORDER;
    let page = paging::page_request(order, query.limit, query.cursor.as_deref())?;
    let found = tables::transitions::list_of_task(app.engine.db(), task.id, &page).await?;
    Ok(Json(paging::page_response(found, |row| convert::tasks::transition::transition(&row))))
}
