//! Notes on a task (T-21).

use axum::Json;
use axum::extract::State;
use forge_api::{Comment, NewComment, Page, PageQuery};
use forge_domain::{Command, CommentId, TaskId};
use forge_store::tables::{self, comments};
use http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::caller::Caller;
use crate::convert;
use crate::failure::Failure;
use crate::input::{Body, Path, Query};
use crate::paging;
use crate::refusal::internal;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list, write))
}

/// A task's comments, the oldest first.
#[utoipa::path(get, path = "/tasks/{id}/comments", tag = "tasks", operation_id = "list_comments",
    params(("id" = Uuid, Path, description = "The task."), PageQuery),
    responses((status = 200, description = "One page.", body = Page<Comment>)))]
async fn list(
    State(app): State<App>,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<Comment>>, Failure> {
    let task = app.engine.task(TaskId::new(id)).await?;
    let page = paging::asked(comments::ORDER, query.limit, query.cursor.as_deref())?;
    let found = comments::list_of_task(app.engine.db(), task.id, &page).await?;
    Ok(Json(paging::page(found, convert::comment::comment)))
}

/// Writes a comment, or an answer to one.
#[utoipa::path(post, path = "/tasks/{id}/comments", tag = "tasks", operation_id = "create_comment",
    params(("id" = Uuid, Path, description = "The task.")), request_body = NewComment,
    responses((status = 201, description = "The comment.", body = Comment)))]
async fn write(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    Body(asked): Body<NewComment>,
) -> Result<(StatusCode, Json<Comment>), Failure> {
    let task = app.engine.task(TaskId::new(id)).await?.id;
    let parent = asked.parent_id.map(CommentId::new);
    if let Some(parent) = parent {
        check_parent(&app, task, parent).await?;
    }
    let command = Command::Comment { body: asked.body.clone(), parent };
    let after = app.engine.handle(caller.actor.clone(), task, command).await?;
    let is_it = |row: &comments::Comment| {
        (row.at, &row.author, &row.body) == (after.updated_at, &caller.actor, &asked.body)
    };
    match last(&app, task, is_it).await? {
        Some(row) => Ok((StatusCode::CREATED, Json(convert::comment::comment(row)))),
        None => Err(internal(&format!("a comment on {task} was not stored"))),
    }
}

/// Comments are never removed or moved, so what holds before the write holds in it.
async fn check_parent(app: &App, task: TaskId, parent: CommentId) -> Result<(), Failure> {
    match comments::load(app.engine.db(), parent).await? {
        Some(found) if found.task_id == task => Ok(()),
        _ => Err(convert::text::invalid(
            "parent_id",
            "the task has no such comment; answer one of GET /tasks/{id}/comments",
        )),
    }
}

/// The last comment like this: the engine's answer is the task, which does not hold its comments.
async fn last(
    app: &App,
    task: TaskId,
    is_it: impl Fn(&comments::Comment) -> bool,
) -> Result<Option<comments::Comment>, Failure> {
    let (mut page, mut found) = (tables::Page::first(tables::Page::MAX), None);
    loop {
        let (rows, next) = comments::list_of_task(app.engine.db(), task, &page).await?;
        found = rows.into_iter().filter(&is_it).last().or(found);
        if next.is_none() {
            return Ok(found);
        }
        page.after = next;
    }
}
