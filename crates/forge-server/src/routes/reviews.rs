//! Attempts of a task at a gate (M-2).

use axum::Json;
use axum::extract::State;
use forge_api::{LogPage, LogQuery, Page, PageQuery, Review};
use forge_domain::{ReviewId, TaskId};
use forge_store::tables::reviews;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::log;
use super::missing::{Noun, missing};
use crate::app::App;
use crate::convert::review::review;
use crate::failure::Failure;
use crate::input::{Path, Query};
use crate::paging;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(show)).routes(routes!(read_log))
}

/// A task's attempts at gates, the first one first.
#[utoipa::path(get, path = "/tasks/{id}/reviews", tag = "reviews", operation_id = "list_reviews",
    params(("id" = Uuid, Path, description = "The task."), PageQuery),
    responses((status = 200, description = "One page.", body = Page<Review>)))]
async fn list(
    State(app): State<App>,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<Review>>, Failure> {
    let task = app.engine.task(TaskId::new(id)).await?;
    let rows = reviews::list_of_task(app.engine.db(), task.id).await?;
    let seen = rows.into_iter().map(review).collect();
    Ok(Json(paging::cut(seen, &query)?))
}

/// One attempt.
#[utoipa::path(get, path = "/reviews/{id}", tag = "reviews", operation_id = "get_review",
    params(("id" = Uuid, Path, description = "The review.")),
    responses((status = 200, description = "The review.", body = Review)))]
async fn show(State(app): State<App>, Path(id): Path<Uuid>) -> Result<Json<Review>, Failure> {
    let row = found(&app, ReviewId::new(id)).await?;
    Ok(Json(review(row)))
}

/// A part of the output of an attempt's checks, by bytes; pages end between characters.
#[utoipa::path(get, path = "/reviews/{id}/log", tag = "reviews", operation_id = "get_review_log",
    params(("id" = Uuid, Path, description = "The review."), LogQuery),
    responses((status = 200, description = "A part of the log.", body = LogPage)))]
async fn read_log(
    State(app): State<App>,
    Path(id): Path<Uuid>,
    Query(query): Query<LogQuery>,
) -> Result<Json<LogPage>, Failure> {
    let row = found(&app, ReviewId::new(id)).await?;
    let complete = row.status != reviews::ReviewStatus::Running;
    // Results that were taken from another attempt come with its log.
    let ran = row.taken_from.and_then(|origin| origin.review).unwrap_or(row.id);
    let path = app.engine.home().log(ran.uuid());
    Ok(Json(log::page(&path, &query, complete).await?))
}

async fn found(app: &App, id: ReviewId) -> Result<reviews::Review, Failure> {
    let row = reviews::load(app.engine.db(), id).await?;
    row.ok_or_else(|| missing(Noun::Review, id, "GET /tasks/{id}/reviews lists them"))
}
