//! Limits members to their projects, before every route, so that no handler can forget it (S-6).

use axum::RequestExt;
use axum::extract::{MatchedPath, RawPathParams, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use forge_api::ErrorCode;
use forge_domain::{ProjectId, TaskId, UserId};
use forge_engine::EngineError;
use forge_store::tables::members::{self, ProjectResource};

use crate::app::AppState;
use crate::caller::caller_identity::Caller;
use crate::caller::execution_scope;
use crate::caller::route_scope::{RouteScope, route_scope};
use crate::error::api_error::ApiError;
use crate::routes::API;

/// Allows members to use routes of their projects and routes outside projects. All others are answered as
/// `not_found`.
pub(crate) async fn require_membership(
    State(app): State<AppState>,
    mut request: Request,
    next: Next,
) -> Response {
    let caller = request.extensions().get::<Caller>();
    let admitted = match caller.map(|caller| (caller.execution(), caller.membership_filter())) {
        Some((Some(bearer), _)) => {
            execution_scope::admit_execution(&app, bearer, &mut request).await
        }
        Some((None, None)) => Ok(()),
        Some((None, Some(user))) => admit_member(&app, user, &mut request).await,
        None => Err(ApiError::from_code(ErrorCode::Unauthorized)),
    };
    match admitted {
        Ok(()) => next.run(request).await,
        Err(refused) => refused.into_response(),
    }
}

async fn admit_member(app: &AppState, user: UserId, request: &mut Request) -> Result<(), ApiError> {
    let unknown = || ApiError::from_code(ErrorCode::NotFound);
    let route = request.extract_parts::<MatchedPath>().await.map_err(|_| unknown())?;
    let route = route.as_str();
    match route_scope(route.strip_prefix(API).unwrap_or(route)) {
        Some(RouteScope::Global) => Ok(()),
        Some(RouteScope::Project(noun)) => {
            let named = request.extract_parts::<RawPathParams>().await.map_err(|_| unknown())?;
            let reached = match noun.parse_parameter(&named) {
                Some(place) => members::is_member(app.engine.db(), user, place).await?,
                None => false,
            };
            if reached { Ok(()) } else { Err(noun.not_found(&named)) }
        }
        None => {
            tracing::error!(route, "route has no scope");
            Err(unknown())
        }
    }
}

impl Caller {
    /// Checks that the caller may see a project that the request names outside the path.
    pub(crate) async fn require_project(
        &self,
        app: &AppState,
        id: ProjectId,
    ) -> Result<(), ApiError> {
        self.require(app, ProjectResource::Project(id), "project", &id.to_string()).await
    }

    /// Checks that the caller may see these tasks, so that a member cannot find out whether a hidden task exists by
    /// referring to it.
    pub(crate) async fn require_tasks(
        &self,
        app: &AppState,
        ids: impl IntoIterator<Item = TaskId>,
    ) -> Result<(), ApiError> {
        for id in ids {
            self.require(app, ProjectResource::Task(id), "task", &id.to_string()).await?;
        }
        Ok(())
    }

    async fn require(
        &self,
        app: &AppState,
        place: ProjectResource,
        noun: &'static str,
        id: &str,
    ) -> Result<(), ApiError> {
        let Some(user) = self.membership_filter() else {
            return Ok(());
        };
        if members::is_member(app.engine.db(), user, place).await? {
            return Ok(());
        }
        Err(EngineError::NotFound { noun, id: id.to_owned() }.into())
    }
}
