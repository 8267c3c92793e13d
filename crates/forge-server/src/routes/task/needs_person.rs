//! The route for tasks that wait for a person, in all projects of the caller (T-28).

use axum::Json;
use axum::extract::State;
use forge_api::{NeedsPerson, NeedsPersonQuery, Page, actions};
use forge_domain::ProjectId;
use forge_store::tables::needs_person::{self, NeedsPersonFilter};

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::Query;
use crate::input::paging;
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        LIST_NEEDS_PERSON => list,
    ]
}

/// List the tasks that wait for a person
///
/// Every task of the caller's projects that continues only when a person acts: passed reviews, pending verdicts of
/// people, parked and failed tasks, landings that wait for a checkout. Longest wait first, each with its reason, its
/// age and the next commands. Tasks that are only queued, and tasks that a person works on, are not in it.
#[utoipa::path(get, path = actions::LIST_NEEDS_PERSON.path, tag = "tasks",
    params(NeedsPersonQuery),
    responses((status = 200, description = "One page.", body = Page<NeedsPerson>)))]
async fn list(
    State(app): State<AppState>,
    caller: Caller,
    Query(query): Query<NeedsPersonQuery>,
) -> Result<Json<Page<NeedsPerson>>, ApiError> {
    let project = query.project.map(ProjectId::new);
    if let Some(project) = project {
        caller.require_project(&app, project).await?;
        app.engine.records().project(project).await?;
    }
    let page = paging::page_request(needs_person::ORDER, query.limit, query.cursor.as_deref())?;
    let filter = NeedsPersonFilter { member: caller.membership_filter(), project };
    let found = app.engine.needs_person().list_needs_person(&caller.actor, filter, &page).await?;
    let now = app.engine.now();
    Ok(Json(paging::page_response(found, |task| {
        convert::tasks::needs_person::needs_person(&task, now)
    })))
}
