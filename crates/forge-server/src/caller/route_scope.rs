//! The scope of every route, in one table: which project it belongs to (S-6).

use axum::extract::RawPathParams;
use forge_api::ErrorCode;
use forge_domain::{ExecutionId, ProjectId, ReviewId, TaskId};
use forge_store::tables::members::ProjectResource;
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;

use crate::error::api_error::ApiError;

/// The kind of object that a route's first parameter names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ResourceKind {
    Project,
    Task,
    Execution,
    Review,
}

/// The scope of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RouteScope {
    /// Outside projects: open to every signed-in user. The handler limits what it returns or does.
    Global,
    /// In the project of the object that the first parameter names.
    Project(ResourceKind),
}

/// Prefixes of routes inside a project.
const PROJECT_ROUTES: [(&str, ResourceKind); 5] = [
    ("/projects/{id}", ResourceKind::Project),
    ("/tasks/{id}", ResourceKind::Task),
    ("/executions/{id}", ResourceKind::Execution),
    ("/reviews/{id}", ResourceKind::Review),
    ("/demo/{project_id}", ResourceKind::Project),
];

/// Routes outside projects, each by its full path: members cannot use a new route until it is listed here.
const GLOBAL_ROUTES: [&str; 32] = [
    "/auth/link",
    "/auth/login",
    "/auth/logout",
    "/auth/me",
    "/me/password",
    "/users",
    "/users/{id}",
    "/tokens",
    "/tokens/{id}",
    "/agents",
    "/agents/check",
    "/agents/{id}",
    "/agents/{id}/environment",
    "/agents/{id}/pause",
    "/agents/{id}/probe",
    "/agents/{id}/resume",
    "/agents/{id}/usage",
    "/projects",
    "/workflows",
    "/workspaces",
    "/events",
    "/needs-person",
    "/workspaces/clean",
    "/workspaces/orphans",
    "/system/dispatch",
    "/system/dispatch/pause",
    "/system/dispatch/resume",
    "/system/info",
    "/system/recovery",
    "/demo",
    "/openapi.json",
    "/metrics",
];

/// The scope of a route; `None` if the route is not in the tables. Routes are written as in the OpenAPI document,
/// without the base path.
pub(crate) fn route_scope(route: &str) -> Option<RouteScope> {
    if GLOBAL_ROUTES.contains(&route) {
        return Some(RouteScope::Global);
    }
    let begins = |prefix: &str| {
        let rest = route.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let found = PROJECT_ROUTES.iter().find(|(prefix, _)| begins(prefix));
    found.map(|(_, noun)| RouteScope::Project(*noun))
}

impl ResourceKind {
    /// The object that the first parameter names; `None` if the parameter is not an identifier.
    pub(crate) fn parse_parameter(self, parameters: &RawPathParams) -> Option<ProjectResource> {
        let (_, text) = parameters.iter().next()?;
        let id: Uuid = text.parse().ok()?;
        Some(match self {
            Self::Project => ProjectResource::Project(ProjectId::new(id)),
            Self::Task => ProjectResource::Task(TaskId::new(id)),
            Self::Execution => ProjectResource::Execution(ExecutionId::new(id)),
            Self::Review => ProjectResource::Review(ReviewId::new(id)),
        })
    }

    /// The `not_found` answer for a caller who may not see the object.
    pub(crate) fn not_found(self, parameters: &RawPathParams) -> ApiError {
        let id = parameters.iter().next().map(|(_, text)| text).unwrap_or_default();
        let noun = format!("{self:?}").to_lowercase();
        let message = format!(
            "there is no {noun} {id} that you may see; check the identifier, or ask a member of its project to add you"
        );
        ApiError::new(ErrorCode::NotFound, message).with_details(json!({ "kind": self, "id": id }))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]

    use super::*;
    use crate::routes::{API, document};

    fn routes() -> Vec<String> {
        let described = document().paths.paths.into_keys();
        let relative = |path: String| path.strip_prefix(API).expect("below the base").to_owned();
        described.map(relative).chain(["/openapi.json".to_owned(), "/metrics".to_owned()]).collect()
    }

    /// Members cannot use a path that is in no table; this test finds such a path first.
    #[test]
    fn s_6_every_path_has_a_scope() {
        let routes = routes();
        assert!(routes.len() > 40, "{}", routes.len());
        for route in &routes {
            assert!(
                route_scope(route).is_some(),
                "{route}: add it to PROJECT_ROUTES or GLOBAL_ROUTES"
            );
        }
        for common in GLOBAL_ROUTES {
            assert!(routes.iter().any(|route| route == common), "{common} is no route any more");
        }
        for (prefix, _) in PROJECT_ROUTES {
            assert!(routes.iter().any(|route| route.starts_with(prefix)), "{prefix}");
        }
    }

    #[test]
    fn s_6_a_route_that_only_shares_a_prefix_has_no_scope() {
        assert_eq!(
            route_scope("/projects/{id}/x"),
            Some(RouteScope::Project(ResourceKind::Project))
        );
        assert_eq!(route_scope("/projects/{id}x"), None);
        assert_eq!(route_scope("/projects/recent"), None);
        assert_eq!(route_scope("/users/{id}/secrets"), None);
    }
}
