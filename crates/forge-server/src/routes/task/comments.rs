//! Routes for comments on a task (T-21).

use axum::Json;
use axum::extract::State;
use forge_api::{Comment, NewComment, Page, PageQuery, actions};
use forge_domain::{CommentId, TaskCommand, TaskId};
use forge_store::tables::{self, comments};
use http::StatusCode;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::error::engine_error::internal_error;
use crate::input::paging;
use crate::input::{JsonBody, Path, Query};
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        LIST_COMMENTS => list,
        CREATE_COMMENT => write,
    ]
}

/// List a task's comments
///
/// Oldest first.
#[utoipa::path(get, path = actions::LIST_COMMENTS.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task."), PageQuery),
    responses((status = 200, description = "One page.", body = Page<Comment>)))]
async fn list(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<Comment>>, ApiError> {
    let task = app.engine.records().task(TaskId::new(id)).await?;
    let page = paging::page_request(comments::ORDER, query.limit, query.cursor.as_deref())?;
    let found = comments::list_of_task(app.engine.db(), task.id, &page).await?;
    Ok(Json(paging::page_response(found, convert::tasks::comment::comment)))
}

/// Write a comment, or an answer to one
#[utoipa::path(post, path = actions::CREATE_COMMENT.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task.")), request_body = NewComment,
    responses((status = 201, description = "The comment.", body = Comment)))]
async fn write(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    JsonBody(asked): JsonBody<NewComment>,
) -> Result<(StatusCode, Json<Comment>), ApiError> {
    let task = app.engine.records().task(TaskId::new(id)).await?.id;
    let parent = asked.parent_id.map(CommentId::new);
    if let Some(parent) = parent {
        check_parent(&app, task, parent).await?;
    }
    let command = TaskCommand::Comment { body: asked.body.clone(), parent };
    let after = app.engine.commands().handle(caller.actor.clone(), task, command).await?;
    let is_it = |row: &comments::CommentRow| {
        (row.at, &row.author, &row.body) == (after.updated_at, &caller.actor, &asked.body)
    };
    match last(&app, task, is_it).await? {
        Some(row) => Ok((StatusCode::CREATED, Json(convert::tasks::comment::comment(row)))),
        None => Err(internal_error(&format!("a comment on {task} was not stored"))),
    }
}

/// Comments are never removed or moved, so a check before the write is enough.
async fn check_parent(app: &AppState, task: TaskId, parent: CommentId) -> Result<(), ApiError> {
    match comments::load(app.engine.db(), parent).await? {
        Some(found) if found.task_id == task => Ok(()),
        _ => Err(convert::text::invalid_field_value(
            "parent_id",
            "the task has no such comment; answer one of GET /tasks/{id}/comments",
        )),
    }
}

/// The comment that was just written: the engine returns the task, which does not contain its comments.
async fn last(
    app: &AppState,
    task: TaskId,
    is_it: impl Fn(&comments::CommentRow) -> bool,
) -> Result<Option<comments::CommentRow>, ApiError> {
    let (mut page, mut found) = (tables::PageRequest::first(tables::PageRequest::MAX), None);
    loop {
        let (rows, next) = comments::list_of_task(app.engine.db(), task, &page).await?;
        found = rows.into_iter().filter(&is_it).last().or(found);
        if next.is_none() {
            return Ok(found);
        }
        page.after = next;
    }
}
