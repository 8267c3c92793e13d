//! What the token of an execution opens: its own task, and of that only what an agent needs (E-3).

use axum::RequestExt;
use axum::extract::{MatchedPath, RawPathParams, Request};
use forge_api::ErrorCode;
use forge_store::tables::execution_tokens::Bearer;
use forge_store::tables::members::Place;
use forge_store::tables::{executions, reviews};
use http::Method;

use super::belonging::{Belonging, belonging};
use crate::app::App;
use crate::failure::Failure;
use crate::routes::API;

/// Everything that an execution may ask for. A new route is closed to it until it stands here.
const OPEN: [(Method, &str); 24] = [
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
    (Method::GET, "/tasks/{id}/steps"),
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

/// Lets an execution through to what is its own. What is another task's is answered like what does not exist.
pub(super) async fn admit(app: &App, bearer: Bearer, request: &mut Request) -> Result<(), Failure> {
    let unknown = || Failure::plain(ErrorCode::NotFound);
    let route = request.extract_parts::<MatchedPath>().await.map_err(|_| unknown())?;
    let route = route.as_str();
    let route = route.strip_prefix(API).unwrap_or(route);
    if let Some(Belonging::Owned(noun)) = belonging(route) {
        let named = request.extract_parts::<RawPathParams>().await.map_err(|_| unknown())?;
        let own = match noun.place(&named) {
            Some(place) => is_own(app, bearer, place).await?,
            None => false,
        };
        if !own {
            return Err(noun.missing(&named));
        }
    }
    let method = match request.method() {
        &Method::HEAD => &Method::GET,
        method => method,
    };
    if OPEN.iter().any(|(open, path)| open == method && *path == route) {
        return Ok(());
    }
    Err(Failure::new(
        ErrorCode::Forbidden,
        "The token of an execution may not do this. It opens its own task: reading it, comments, handing it in or off.",
    ))
}

async fn is_own(app: &App, bearer: Bearer, place: Place) -> Result<bool, Failure> {
    let db = app.engine.db();
    let task = match place {
        Place::Project(project) => return Ok(project == bearer.project_id),
        Place::Task(task) => Some(task),
        Place::Execution(id) => executions::load(db, id).await?.map(|row| row.task_id),
        Place::Review(id) => reviews::load(db, id).await?.map(|row| row.task_id),
    };
    Ok(task == Some(bearer.task_id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::document;

    #[test]
    fn e_3_everything_that_is_open_to_an_execution_is_a_route() {
        let paths = document().paths.paths;
        for (method, route) in OPEN {
            let item = paths.get(&format!("{API}{route}"));
            let there = item.is_some_and(|item| match method {
                Method::GET => item.get.is_some(),
                _ => item.post.is_some(),
            });
            assert!(there, "{method} {route}");
        }
    }
}
