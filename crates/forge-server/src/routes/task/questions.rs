//! Routes for questions to the person in charge of a task (T-27).

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use forge_api::{NewAnswer, NewQuestion, Page, PageQuery, Question, QuestionQuery, actions};
use forge_domain::{TaskCommand, TaskId};
use forge_store::tables::questions;
use http::StatusCode;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::paging;
use crate::input::{JsonBody, Path, Query};
use crate::routes::action_route::{ActionRoute, action_routes};
use crate::routes::missing_resource::{MissingResource, missing};

/// Longest time that an answer to a request waits for the answer to a question. A client repeats the request.
const LONGEST_WAIT_SECONDS: u32 = 600;

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        LIST_QUESTIONS => list,
        ASK_QUESTION => ask,
        GET_QUESTION => show,
        ANSWER_QUESTION => answer,
        CONFIRM_ANSWER => confirm,
    ]
}

/// List a task's questions
///
/// Oldest first, with their answers.
#[utoipa::path(get, path = actions::LIST_QUESTIONS.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task."), PageQuery),
    responses((status = 200, description = "One page.", body = Page<Question>)))]
async fn list(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<Question>>, ApiError> {
    let task = app.engine.records().task(TaskId::new(id)).await?;
    let page = paging::page_request(questions::ORDER, query.limit, query.cursor.as_deref())?;
    let found = questions::list_of_task(app.engine.db(), task.id, &page).await?;
    Ok(Json(paging::page_response(found, convert::tasks::question::question)))
}

/// Ask the person in charge of a task
///
/// An execution asks about its own task; it should then end its turn. While a question is open, the work is not handed
/// in: the task needs a person, and the answer reaches the agent while it runs, or as its next turn.
#[utoipa::path(post, path = actions::ASK_QUESTION.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task.")), request_body = NewQuestion,
    responses((status = 201, description = "The question.", body = Question)))]
async fn ask(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    JsonBody(asked): JsonBody<NewQuestion>,
) -> Result<(StatusCode, Json<Question>), ApiError> {
    let task = TaskId::new(id);
    let text = convert::text::check_text("text", asked.text)?;
    let command = TaskCommand::Ask { text, is_awaited: asked.awaited };
    let after = app.engine.commands().handle(caller.actor, task, command).await?;
    let question = load_question(&app, task, after.asked_questions).await?;
    Ok((StatusCode::CREATED, Json(question)))
}

/// Read a question, or wait for its answer
#[utoipa::path(get, path = actions::GET_QUESTION.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task."),
           ("number" = u32, Path, description = "The question's number."), QuestionQuery),
    responses((status = 200, description = "The question.", body = Question)))]
async fn show(
    State(app): State<AppState>,
    Path((id, number)): Path<(Uuid, u32)>,
    Query(query): Query<QuestionQuery>,
) -> Result<Json<Question>, ApiError> {
    let task = TaskId::new(id);
    let patience = query.wait_seconds.unwrap_or(0).min(LONGEST_WAIT_SECONDS);
    if patience > 0 {
        let answered = app.wait_for_task(task, |task| {
            task.questions.iter().all(|question| question.number != number)
        });
        match tokio::time::timeout(Duration::from_secs(patience.into()), answered).await {
            Ok(reached) => drop(reached?),
            Err(_) => tracing::debug!(%task, number, "question is still open"),
        }
    }
    Ok(Json(load_question(&app, task, number).await?))
}

/// Answer a question
///
/// The answer reaches the agent once: while it runs if its program accepts messages, else as its next turn. If the
/// task waits for the answer, the agent starts now.
#[utoipa::path(post, path = actions::ANSWER_QUESTION.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task."),
           ("number" = u32, Path, description = "The question's number.")),
    request_body = NewAnswer,
    responses((status = 200, description = "The question with its answer.", body = Question)))]
async fn answer(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, number)): Path<(Uuid, u32)>,
    JsonBody(asked): JsonBody<NewAnswer>,
) -> Result<Json<Question>, ApiError> {
    let task = TaskId::new(id);
    let text = convert::text::check_text("text", asked.text)?;
    load_question(&app, task, number).await?;
    app.engine.agent_messages().answer(caller.actor, task, number, text).await?;
    Ok(Json(load_question(&app, task, number).await?))
}

/// Confirm that an awaited answer has arrived
///
/// Sent by the execution that asked, once it has fetched the answer; otherwise the answer also becomes its next turn.
#[utoipa::path(post, path = actions::CONFIRM_ANSWER.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task."),
           ("number" = u32, Path, description = "The question's number.")),
    responses((status = 200, description = "The question with its answer.", body = Question)))]
async fn confirm(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, number)): Path<(Uuid, u32)>,
) -> Result<Json<Question>, ApiError> {
    let task = TaskId::new(id);
    let question = load_question(&app, task, number).await?;
    let command = TaskCommand::ReceiveAnswer { number };
    app.engine.commands().handle(caller.actor, task, command).await?;
    Ok(Json(question))
}

async fn load_question(app: &AppState, task: TaskId, number: u32) -> Result<Question, ApiError> {
    let row = questions::load(app.engine.db(), task, number).await?;
    let row = row.ok_or_else(|| {
        missing(MissingResource::Question, number, "look at the list of the task's questions")
    })?;
    Ok(convert::tasks::question::question(row))
}
