//! All routes in one router, and their OpenAPI document.

use axum::Router;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::caller::protect;
use crate::openapi::complete_document;
use crate::routes::account::{my_password, sign_in, tokens, users};
use crate::routes::admin::{agents, demo, dispatch, events, system};
use crate::routes::execution::{
    execution_control, execution_log, executions, follow_up, steer, usage,
};
use crate::routes::landing::{
    conflicts, merge_trains, post_landing, pull_request, reviews, verdicts,
};
use crate::routes::project::{members, projects, repo_config, repo_remote, repos, workflows};
use crate::routes::task::{
    claim, comments, dependencies, effects, handoff, needs_person, prompt, roles, subtasks, tasks,
    transition,
};
use crate::routes::workspace::{journal, setup, workspace_cleanup, workspaces};

/// The base path of the API.
pub(crate) const API: &str = "/api/v1";

/// Routes that need no credential; all other routes need one.
fn public() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().nest(API, sign_in::public_routes())
}

fn protected() -> OpenApiRouter<AppState> {
    let nouns = [
        sign_in::routes(),
        my_password::routes(),
        users::routes(),
        tokens::routes(),
        projects::routes(),
        members::routes(),
        repos::routes(),
        repo_config::routes(),
        repo_remote::routes(),
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
        dispatch::routes(),
        needs_person::routes(),
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
        demo::routes(),
    ];
    let api = nouns.into_iter().fold(OpenApiRouter::new(), OpenApiRouter::merge);
    OpenApiRouter::new().nest(API, api)
}

/// All routes; protected routes authenticate the caller and check memberships.
pub(crate) fn router(app: AppState) -> Router {
    let (public, _) = public().split_for_parts();
    let (protected, _) = protected().split_for_parts();
    protect(protected, &app).merge(public).with_state(app)
}

/// The OpenAPI document of all routes.
pub(crate) fn document() -> OpenApi {
    complete_document(public().merge(protected()).into_openapi())
}
