//! Which credentials open a repository elsewhere (M-15): for GitHub the installation of the App that the project names,
//! the one the repository names, the repository's own token, the token of the environment; for other hosts the
//! repository's own token; for ssh the person's agent.

use super::{SealError, installation_of};
use crate::engine::Engine;
use crate::errors::EngineError;
use forge_git::{Access, RemoteRepo, RemoteUrl, Token};
use forge_github::GitHubError;
use forge_store::StoreError;
use forge_store::tables::repo_remotes::{self, RepoRemote};
use forge_store::tables::repos::Repo;
use std::time::Duration;

/// Why there are no credentials.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AccessError {
    /// GitHub gave none.
    #[error(transparent)]
    GitHub(#[from] GitHubError),
    /// The stored ones cannot be read.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// The database said no.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What was set cannot be used.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl AccessError {
    /// Whether it may work later without anybody's doing.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            Self::GitHub(error) => error.is_passing(),
            Self::Store(_) => true,
            Self::Seal(_) | Self::Engine(_) => false,
        }
    }
}

impl Engine {
    /// Where a repository was cloned from, with what opens it.
    pub(crate) async fn origin_of(&self, row: &Repo) -> Result<Option<RemoteRepo>, AccessError> {
        let said = repo_remotes::load(&self.0.db, row.id).await?;
        self.remote_at(row.url.as_deref(), row, said.as_ref()).await
    }

    /// Where what lands in a repository is pushed; none where it stays here.
    pub(crate) async fn publishes_to(&self, row: &Repo) -> Result<Option<RemoteRepo>, AccessError> {
        let said = repo_remotes::load(&self.0.db, row.id).await?;
        let pushes = said.as_ref().and_then(|said| said.push).unwrap_or(row.url.is_some());
        if !pushes {
            return Ok(None);
        }
        let url = row.url.as_deref().or(said.as_ref().and_then(|said| said.url.as_deref()));
        self.remote_at(url, row, said.as_ref()).await
    }

    pub(super) async fn remote_at(
        &self,
        url: Option<&str>,
        row: &Repo,
        said: Option<&RepoRemote>,
    ) -> Result<Option<RemoteRepo>, AccessError> {
        let Some(url) = url.and_then(|url| RemoteUrl::new(url).ok()) else { return Ok(None) };
        let token = match said.and_then(|said| said.sealed_token.as_deref()) {
            Some(sealed) => Some(self.0.seal.open(&row.id.to_string(), sealed)?),
            None => None,
        };
        let project = self.project(row.project_id).await?;
        let installations =
            [installation_of(&project.settings)?, said.and_then(|said| said.installation_id)];
        let access = self.access_to(&url, &installations, token).await?;
        let deadline = Duration::from_secs(self.0.limits.remotes.timeout_seconds);
        Ok(Some(self.remote(url, access).within(deadline)))
    }

    /// A repository elsewhere, as git is called for it.
    pub(crate) fn remote(&self, url: RemoteUrl, access: Access) -> RemoteRepo {
        RemoteRepo::new(url, access, self.0.home.porches())
    }

    /// What opens an address: the first that there is.
    pub(crate) async fn access_to(
        &self,
        url: &RemoteUrl,
        installations: &[Option<u64>],
        token: Option<Token>,
    ) -> Result<Access, AccessError> {
        let Some(origin) = url.origin() else {
            let mut variables = self.0.environment.vars();
            let socket = variables.find(|(name, _)| name == "SSH_AUTH_SOCK");
            return Ok(socket.map_or(Access::Open, |(_, socket)| Access::Agent(socket)));
        };
        let settings = &self.0.limits.remotes;
        let is_github = origin == settings.github_url;
        if is_github && let Some(id) = installations.iter().copied().flatten().next() {
            let now = self.now().millis() / 1000;
            let secret = settings.github.installation_token(id, now).await?;
            let token = Token::new(secret, None);
            return Ok(Access::Token(
                token.map_err(|error| GitHubError::Answer(error.to_string()))?,
            ));
        }
        let environment = settings.github_token.clone().filter(|_| is_github);
        Ok(token.or(environment).map_or(Access::Open, Access::Token))
    }
}
