//! All routes in one router, and their description.

use axum::Router;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use super::{
    aftermath, agents, auth, claim, comments, conflicts, demo, dependencies, dispatch, events,
    execution_log, executions, follow_up, handoff, journal, members, my_password, projects, prompt,
    pull_request, repo_remote, repos, rescue, reviews, roles, setup, steer, steps, subtasks,
    system, tasks, tokens, train, transition, usage, users, verdicts, workflows, workspace,
    workspaces_upkeep,
};
use crate::app::App;
use crate::caller::protect;
use crate::openapi::complete;

/// Where the API begins.
pub(crate) const API: &str = "/api/v1";

/// Whatever is not here cannot be called without a credential.
fn public() -> OpenApiRouter<App> {
    OpenApiRouter::new().nest(API, auth::public_routes())
}

fn protected() -> OpenApiRouter<App> {
    let nouns = [
        auth::routes(),
        my_password::routes(),
        users::routes(),
        tokens::routes(),
        projects::routes(),
        members::routes(),
        repos::routes(),
        repo_remote::routes(),
        workflows::routes(),
        agents::routes(),
        tasks::routes(),
        claim::routes(),
        transition::routes(),
        roles::routes(),
        handoff::routes(),
        aftermath::routes(),
        prompt::routes(),
        dependencies::routes(),
        comments::routes(),
        dispatch::routes(),
        train::routes(),
        pull_request::routes(),
        conflicts::routes(),
        steps::routes(),
        subtasks::routes(),
        reviews::routes(),
        verdicts::routes(),
        executions::routes(),
        execution_log::routes(),
        follow_up::routes(),
        usage::routes(),
        rescue::routes(),
        steer::routes(),
        workspace::routes(),
        setup::routes(),
        workspaces_upkeep::routes(),
        journal::routes(),
        events::routes(),
        system::routes(),
        demo::routes(),
    ];
    let api = nouns.into_iter().fold(OpenApiRouter::new(), OpenApiRouter::merge);
    OpenApiRouter::new().nest(API, api)
}

/// All routes; those that are not public know their caller, and what of it is theirs.
pub(crate) fn router(app: App) -> Router {
    let (public, _) = public().split_for_parts();
    let (protected, _) = protected().split_for_parts();
    protect(protected, &app).merge(public).with_state(app)
}

/// What describes them.
pub(crate) fn document() -> OpenApi {
    complete(public().merge(protected()).into_openapi())
}
