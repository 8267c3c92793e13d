//! The scope of an execution's token: its own task, limited to what an agent needs (E-3).

use axum::RequestExt;
use axum::extract::{MatchedPath, RawPathParams, Request};
use forge_api::ErrorCode;
use forge_store::tables::execution_tokens::ExecutionTokenOwner;
use forge_store::tables::members::ProjectResource;
use forge_store::tables::{executions, reviews};
use http::Method;

use crate::app::AppState;
use crate::caller::route_scope::{RouteScope, route_scope};
use crate::error::api_error::ApiError;
use crate::routes::API;

/// All operations that an execution may call. A new route is closed to executions until it is listed here.
const EXECUTION_OPERATIONS: [(Method, &str); 24] = [
    (Method::GET, "/auth/me"),
    (Method::GET, "/tasks/{id}"),
    (Method::GET, "/tasks/{id}/actions"),
    (Method::GET, "/tasks/{id}/comments"),
    (Method::POST, "/tasks/{id}/comments"),
    (Method::GET, "/tasks/{id}/diff"),
    (Method::GET, "/tasks/{id}/executions"),
    (Method::POST, "/tasks/{id}/handoff"),
    (Method::GET, "/tasks/{id}/journal"),
    (Method::GET, "/tasks/{id}/prompt"),
    (Method::GET, "/tasks/{id}/reviews"),
    (Method::GET, "/tasks/{id}/effects"),
    (Method::GET, "/tasks/{id}/subtasks"),
    (Method::POST, "/tasks/{id}/transition"),
    (Method::GET, "/tasks/{id}/transitions"),
    (Method::GET, "/tasks/{id}/usage"),
    (Method::GET, "/tasks/{id}/workspace"),
    (Method::GET, "/executions/{id}"),
    (Method::GET, "/executions/{id}/log"),
    (Method::GET, "/executions/{id}/log/raw"),
    (Method::GET, "/executions/{id}/log/stream"),
    (Method::POST, "/executions/{id}/verdict"),
    (Method::GET, "/reviews/{id}"),
    (Method::GET, "/reviews/{id}/log"),
];

/// Allows an execution to use its own objects. Objects of other tasks are answered as `not_found`.
pub(crate) async fn admit_execution(
    app: &AppState,
    bearer: ExecutionTokenOwner,
    request: &mut Request,
) -> Result<(), ApiError> {
    let unknown = || ApiError::from_code(ErrorCode::NotFound);
    let route = request.extract_parts::<MatchedPath>().await.map_err(|_| unknown())?;
    let route = route.as_str();
    let route = route.strip_prefix(API).unwrap_or(route);
    if let Some(RouteScope::Project(noun)) = route_scope(route) {
        let named = request.extract_parts::<RawPathParams>().await.map_err(|_| unknown())?;
        let own = match noun.parse_parameter(&named) {
            Some(place) => is_own_object(app, bearer, place).await?,
            None => false,
        };
        if !own {
            return Err(noun.not_found(&named));
        }
    }
    let method = match request.method() {
        &Method::HEAD => &Method::GET,
        method => method,
    };
    if EXECUTION_OPERATIONS.iter().any(|(open, path)| open == method && *path == route) {
        return Ok(());
    }
    Err(ApiError::new(
        ErrorCode::Forbidden,
        "The token of an execution does not allow this. It allows reading its own task, writing comments, and submitting or handing off the task.",
    ))
}

async fn is_own_object(
    app: &AppState,
    bearer: ExecutionTokenOwner,
    place: ProjectResource,
) -> Result<bool, ApiError> {
    let db = app.engine.db();
    let task = match place {
        ProjectResource::Project(project) => return Ok(project == bearer.project_id),
        ProjectResource::Task(task) => Some(task),
        ProjectResource::Execution(id) => executions::load(db, id).await?.map(|row| row.task_id),
        ProjectResource::Review(id) => reviews::load(db, id).await?.map(|row| row.task_id),
    };
    Ok(task == Some(bearer.task_id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::document;

    #[test]
    fn e_3_every_operation_of_the_execution_scope_is_a_route() {
        let paths = document().paths.paths;
        for (method, route) in EXECUTION_OPERATIONS {
            let item = paths.get(&format!("{API}{route}"));
            let there = item.is_some_and(|item| match method {
                Method::GET => item.get.is_some(),
                _ => item.post.is_some(),
            });
            assert!(there, "{method} {route}");
        }
    }
}
