//! Which project a route belongs to, for all routes in one table (S-6).

use axum::extract::RawPathParams;
use forge_api::ErrorCode;
use forge_domain::{ExecutionId, ProjectId, ReviewId, TaskId};
use forge_store::tables::members::Place;
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;

use crate::failure::Failure;

/// What a route's first parameter names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Noun {
    Project,
    Task,
    Execution,
    Review,
}

/// Whose a route is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Belonging {
    /// No project's: for everybody who is signed in. What it answers or does is the handler's to limit.
    Common,
    /// The project's of what the first parameter names.
    Owned(Noun),
}

/// The routes that begin like this are of one project.
const OWNED: [(&str, Noun); 5] = [
    ("/projects/{id}", Noun::Project),
    ("/tasks/{id}", Noun::Task),
    ("/executions/{id}", Noun::Execution),
    ("/reviews/{id}", Noun::Review),
    ("/demo/{project_id}", Noun::Project),
];

/// The routes that are no project's, each by its whole name: a new one is closed to members until it stands here.
const COMMON: [&str; 29] = [
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
    "/agents/{id}/pause",
    "/agents/{id}/resume",
    "/agents/{id}/usage",
    "/projects",
    "/workflows",
    "/workspaces",
    "/events",
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

/// Whose this route is; `None` if nobody has decided it. Routes are written as in the description, without its base.
pub(super) fn belonging(route: &str) -> Option<Belonging> {
    if COMMON.contains(&route) {
        return Some(Belonging::Common);
    }
    let begins = |prefix: &str| {
        let rest = route.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let found = OWNED.iter().find(|(prefix, _)| begins(prefix));
    found.map(|(_, noun)| Belonging::Owned(*noun))
}

impl Noun {
    /// What the first parameter names; `None` if it is no identifier, and so names nothing.
    pub(super) fn place(self, parameters: &RawPathParams) -> Option<Place> {
        let (_, text) = parameters.iter().next()?;
        let id: Uuid = text.parse().ok()?;
        Some(match self {
            Self::Project => Place::Project(ProjectId::new(id)),
            Self::Task => Place::Task(TaskId::new(id)),
            Self::Execution => Place::Execution(ExecutionId::new(id)),
            Self::Review => Place::Review(ReviewId::new(id)),
        })
    }

    /// That there is none, for whoever may not know better.
    pub(super) fn missing(self, parameters: &RawPathParams) -> Failure {
        let id = parameters.iter().next().map(|(_, text)| text).unwrap_or_default();
        let noun = format!("{self:?}").to_lowercase();
        let message = format!(
            "there is no {noun} {id} that you may see; check the identifier, or ask a member of its project to add you"
        );
        Failure::new(ErrorCode::NotFound, message).with_details(json!({ "kind": self, "id": id }))
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

    /// A path that nobody has decided about is closed to members; this says so before they do.
    #[test]
    fn s_6_every_path_is_of_a_project_or_explicitly_of_none() {
        let routes = routes();
        assert!(routes.len() > 40, "{}", routes.len());
        for route in &routes {
            assert!(belonging(route).is_some(), "{route}: add it to OWNED or COMMON");
        }
        for common in COMMON {
            assert!(routes.iter().any(|route| route == common), "{common} is no route any more");
        }
        for (prefix, _) in OWNED {
            assert!(routes.iter().any(|route| route.starts_with(prefix)), "{prefix}");
        }
    }

    #[test]
    fn s_6_a_route_that_only_begins_alike_is_nobodys() {
        assert_eq!(belonging("/projects/{id}/x"), Some(Belonging::Owned(Noun::Project)));
        assert_eq!(belonging("/projects/{id}x"), None);
        assert_eq!(belonging("/projects/recent"), None);
        assert_eq!(belonging("/users/{id}/secrets"), None);
    }
}
