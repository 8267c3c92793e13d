//! Stands before every route and keeps members to their projects, so that no handler can forget it (S-6).

use axum::RequestExt;
use axum::extract::{MatchedPath, RawPathParams, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use forge_api::ErrorCode;
use forge_domain::{ProjectId, TaskId, UserId};
use forge_engine::EngineError;
use forge_store::tables::members::{self, Place};

use super::belonging::{Belonging, belonging};
use super::errand;
use super::known::Caller;
use crate::app::App;
use crate::failure::Failure;
use crate::routes::API;

/// Lets members through to what belongs to their projects and to what belongs to none. Anything else is answered like
/// what does not exist.
pub(crate) async fn require_membership(
    State(app): State<App>,
    mut request: Request,
    next: Next,
) -> Response {
    let caller = request.extensions().get::<Caller>();
    let admitted = match caller.map(|caller| (caller.bearer(), caller.confined())) {
        Some((Some(bearer), _)) => errand::admit(&app, bearer, &mut request).await,
        Some((None, None)) => Ok(()),
        Some((None, Some(user))) => admit(&app, user, &mut request).await,
        None => Err(Failure::plain(ErrorCode::Unauthorized)),
    };
    match admitted {
        Ok(()) => next.run(request).await,
        Err(refused) => refused.into_response(),
    }
}

async fn admit(app: &App, user: UserId, request: &mut Request) -> Result<(), Failure> {
    let unknown = || Failure::plain(ErrorCode::NotFound);
    let route = request.extract_parts::<MatchedPath>().await.map_err(|_| unknown())?;
    let route = route.as_str();
    match belonging(route.strip_prefix(API).unwrap_or(route)) {
        Some(Belonging::Common) => Ok(()),
        Some(Belonging::Owned(noun)) => {
            let named = request.extract_parts::<RawPathParams>().await.map_err(|_| unknown())?;
            let reached = match noun.place(&named) {
                Some(place) => members::is_member(app.engine.db(), user, place).await?,
                None => false,
            };
            if reached { Ok(()) } else { Err(noun.missing(&named)) }
        }
        None => {
            tracing::error!(route, "nobody has decided which project this route belongs to");
            Err(unknown())
        }
    }
}

impl Caller {
    /// That the caller may see a project that is named elsewhere than in the path.
    pub(crate) async fn require_project(&self, app: &App, id: ProjectId) -> Result<(), Failure> {
        self.require(app, Place::Project(id), "project", &id.to_string()).await
    }

    /// The same for tasks: whose existence a member may not know, they cannot find out by referring to it.
    pub(crate) async fn require_tasks(
        &self,
        app: &App,
        ids: impl IntoIterator<Item = TaskId>,
    ) -> Result<(), Failure> {
        for id in ids {
            self.require(app, Place::Task(id), "task", &id.to_string()).await?;
        }
        Ok(())
    }

    async fn require(
        &self,
        app: &App,
        place: Place,
        noun: &'static str,
        id: &str,
    ) -> Result<(), Failure> {
        let Some(user) = self.confined() else {
            return Ok(());
        };
        if members::is_member(app.engine.db(), user, place).await? {
            return Ok(());
        }
        Err(EngineError::NotFound { noun, id: id.to_owned() }.into())
    }
}
