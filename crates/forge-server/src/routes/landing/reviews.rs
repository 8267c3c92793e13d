//! Routes for the attempts of a task at a gate (M-2).

use axum::Json;
use axum::extract::State;
use forge_api::{LogPage, LogQuery, Page, PageQuery, Review, actions};
use forge_domain::{ReviewId, TaskId};
use forge_store::tables::reviews;
use uuid::Uuid;

use crate::app::AppState;
use crate::convert::landing::review::review;
use crate::error::api_error::ApiError;
use crate::input::paging;
use crate::input::{Path, Query};
use crate::routes::action_route::{ActionRoute, action_routes};
use crate::routes::execution::log_page;
use crate::routes::missing_resource::{MissingResource, missing};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        LIST_REVIEWS => list,
        GET_REVIEW => show,
        GET_REVIEW_LOG => read_log,
    ]
}

/// List a task's attempts at gates
///
/// Oldest first.
#[utoipa::path(get, path = actions::LIST_REVIEWS.path, tag = "reviews",
    params(("id" = Uuid, Path, description = "The task."), PageQuery),
    responses((status = 200, description = "One page.", body = Page<Review>)))]
async fn list(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<Review>>, ApiError> {
    let task = app.engine.records().task(TaskId::new(id)).await?;
    let rows = reviews::list_of_task(app.engine.db(), task.id).await?;
    let seen = rows.into_iter().map(review).collect();
    Ok(Json(paging::page_of_list(seen, &query)?))
}

/// Show an attempt at a gate
#[utoipa::path(get, path = actions::GET_REVIEW.path, tag = "reviews",
    params(("id" = Uuid, Path, description = "The review.")),
    responses((status = 200, description = "The review.", body = Review)))]
async fn show(State(app): State<AppState>, Path(id): Path<Uuid>) -> Result<Json<Review>, ApiError> {
    let row = load_review(&app, ReviewId::new(id)).await?;
    Ok(Json(review(row)))
}

/// Read a part of the output of an attempt's checks
///
/// By bytes; pages end between characters.
#[utoipa::path(get, path = actions::GET_REVIEW_LOG.path, tag = "reviews",
    params(("id" = Uuid, Path, description = "The review."), LogQuery),
    responses((status = 200, description = "A part of the log.", body = LogPage)))]
async fn read_log(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
    Query(query): Query<LogQuery>,
) -> Result<Json<LogPage>, ApiError> {
    let row = load_review(&app, ReviewId::new(id)).await?;
    let complete = row.status != reviews::ReviewRowStatus::Running;
    // Results that were copied from another attempt come with the log of that attempt.
    let ran = row.taken_from.and_then(|origin| origin.review).unwrap_or(row.id);
    let path = app.engine.home().log(ran.uuid());
    Ok(Json(log_page::page(&path, &query, complete).await?))
}

async fn load_review(app: &AppState, id: ReviewId) -> Result<reviews::ReviewRow, ApiError> {
    let row = reviews::load(app.engine.db(), id).await?;
    row.ok_or_else(|| missing(MissingResource::Review, id, "look at the attempts of its task"))
}
