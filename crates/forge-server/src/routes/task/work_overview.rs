//! The route for the overview of a user's work in all projects (S-4).

use axum::Json;
use axum::extract::State;
use forge_api::{WorkOverview, WorkOverviewQuery, actions};

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::Query;
use crate::input::paging;
use crate::routes::action_route::{ActionRoute, action_routes};

const USUAL_TASKS: u32 = 5;
const DAY_SECONDS: u32 = 24 * 60 * 60;

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        GET_STATUS => show,
    ]
}

/// Show what goes on in all projects
///
/// The tasks of the caller's projects that wait for a person, are being worked on, are queued, and landed recently:
/// the number of each, and the first few with the agent or user, the age and the next commands.
#[utoipa::path(get, path = actions::GET_STATUS.path, tag = "tasks",
    params(WorkOverviewQuery),
    responses((status = 200, description = "The overview.", body = WorkOverview)))]
async fn show(
    State(app): State<AppState>,
    caller: Caller,
    Query(query): Query<WorkOverviewQuery>,
) -> Result<Json<WorkOverview>, ApiError> {
    let limit = paging::page_size(Some(query.limit.unwrap_or(USUAL_TASKS)))?;
    let landed_millis = i64::from(query.landed_seconds.unwrap_or(DAY_SECONDS)) * 1000;
    let member = caller.membership_filter();
    let reader = app.engine.work_overview();
    let found = reader.load_overview(&caller.actor, member, landed_millis, limit).await?;
    Ok(Json(convert::tasks::work_overview::work_overview(&found, app.engine.now())))
}
