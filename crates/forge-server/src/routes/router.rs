//! All routes in one router, and their OpenAPI document.

use axum::Router;
use utoipa::openapi::{OpenApi, OpenApiBuilder};

use crate::app::AppState;
use crate::caller::require_caller;
use crate::openapi::complete_document;
use crate::routes::account::{local_sign_in, my_password, sign_in, tokens, users};
use crate::routes::action_route::ActionRoute;
use crate::routes::admin::{agents, backup, demo, dispatch, events, system};
use crate::routes::execution::{
    execution_control, execution_log, executions, follow_up, steer, usage,
};
use crate::routes::landing::{
    conflicts, merge_trains, post_landing, pull_request, reviews, verdicts,
};
use crate::routes::project::{
    members, projects, repo_config, repo_remote, repos, webhooks, workflows,
};
use crate::routes::task::{
    claim, comments, dependencies, effects, handoff, needs_person, prompt, questions, roles,
    subtasks, tasks, transition, work_overview,
};
use crate::routes::workspace::{journal, setup, workspace_cleanup, workspaces};

/// The base path of the API.
pub(crate) const API: &str = "/api/v1";

fn action_routes() -> impl Iterator<Item = ActionRoute> {
    let files = [
        sign_in::routes(),
        local_sign_in::routes(),
        my_password::routes(),
        users::routes(),
        tokens::routes(),
        projects::routes(),
        members::routes(),
        repos::routes(),
        repo_config::routes(),
        repo_remote::routes(),
        webhooks::routes(),
        workflows::routes(),
        agents::routes(),
        tasks::routes(),
        claim::routes(),
        transition::routes(),
        roles::routes(),
        handoff::routes(),
        post_landing::routes(),
        prompt::routes(),
        dependencies::routes(),
        comments::routes(),
        questions::routes(),
        dispatch::routes(),
        needs_person::routes(),
        work_overview::routes(),
        merge_trains::routes(),
        pull_request::routes(),
        conflicts::routes(),
        effects::routes(),
        subtasks::routes(),
        reviews::routes(),
        verdicts::routes(),
        executions::routes(),
        execution_log::routes(),
        follow_up::routes(),
        usage::routes(),
        execution_control::routes(),
        steer::routes(),
        workspaces::routes(),
        setup::routes(),
        workspace_cleanup::routes(),
        journal::routes(),
        events::routes(),
        system::routes(),
        backup::routes(),
        demo::routes(),
    ];
    files.into_iter().flatten()
}

/// All routes, each behind the check of its action's scope.
pub(crate) fn router(app: AppState) -> Router {
    let (public, protected): (Vec<_>, Vec<_>) = action_routes().partition(ActionRoute::is_public);
    let mount = |routes: Vec<ActionRoute>| {
        routes.into_iter().fold(Router::new(), |router, route| route.mount(router, &app))
    };
    require_caller(mount(protected), &app).merge(mount(public)).with_state(app)
}

/// The OpenAPI document of all routes.
pub(crate) fn document() -> OpenApi {
    let mut document = OpenApiBuilder::new().build();
    action_routes().for_each(|route| route.describe(&mut document));
    complete_document(document)
}

#[cfg(test)]
mod tests {
    use forge_api::actions::ACTIONS;

    use super::*;

    /// A handler whose action is declared but which is in no `routes()` would answer `not_found`.
    #[test]
    fn s_1_every_action_has_one_route() {
        let routed: Vec<_> = action_routes().map(|route| route.action()).collect();
        for action in ACTIONS {
            let routes = routed.iter().filter(|routed| **routed == action).count();
            assert_eq!(routes, 1, "{}", action.name);
        }
        assert_eq!(routed.len(), ACTIONS.len());
    }

    /// `#[utoipa::path]` needs a method and a path; the server uses those of the action.
    #[test]
    fn s_1_handlers_are_described_with_the_route_of_their_action() {
        for route in action_routes() {
            let action = route.action();
            let expected = (action.method.as_str().to_owned(), action.path.to_owned());
            assert_eq!(route.described_routes(), [expected], "{}", action.name);
        }
    }
}
