//! Credentials of a remote repository (M-15). For GitHub, in order: the App installation named by the project, that of
//! the repository, the repository's own token, the server's token. For other hosts the repository's own token; for ssh
//! the user's agent.

use crate::command::clock::Clock;
use crate::command::errors::EngineError;
use crate::execution::server_environment::ServerEnvironment;
use crate::nodes::data_directory::DataDirectory;
use crate::remote::remote_fetches::RemoteFetches;
use crate::remote::{RemoteSettings, TokenSeal, TokenSealError};
use forge_git::{AccessToken, RemoteCredentials, RemoteRepo, RemoteUrl, RepoLocks};
use forge_github::GitHubError;
use forge_store::tables::projects::ProjectRow;
use forge_store::tables::repo_remotes::{self, RepoRemoteRow};
use forge_store::tables::repos::RepoRow;
use forge_store::{Db, StoreError};
use std::sync::Arc;
use std::time::Duration;

/// Why there are no credentials.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AccessError {
    /// GitHub refused to issue a token.
    #[error(transparent)]
    GitHub(#[from] GitHubError),
    /// The stored token cannot be decrypted.
    #[error(transparent)]
    Seal(#[from] TokenSealError),
    /// The database returned an error.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The configured credentials are invalid.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl AccessError {
    /// Whether it may succeed later without a person's action.
    pub(crate) fn is_transient(&self) -> bool {
        match self {
            Self::GitHub(error) => error.is_transient(),
            Self::Store(_) => true,
            Self::Seal(_) | Self::Engine(_) => false,
        }
    }
}

/// Remote repositories: credentials, allowed addresses, fetches.
#[derive(Debug, Clone)]
pub struct Remotes {
    pub(crate) db: Db,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) home: Arc<DataDirectory>,
    pub(crate) environment: Arc<ServerEnvironment>,
    pub(crate) fetches: RemoteFetches,
    pub(crate) remote_settings: RemoteSettings,
    pub(crate) repo_locks: RepoLocks,
    pub(crate) token_seal: TokenSeal,
}

impl Remotes {
    /// The remote that a repository was cloned from, with credentials.
    pub(crate) async fn load_origin(
        &self,
        row: &RepoRow,
        project: &ProjectRow,
    ) -> Result<Option<RemoteRepo>, AccessError> {
        let said = repo_remotes::load(&self.db, row.id).await?;
        self.build_remote(row.url.as_deref(), row, project, said.as_ref()).await
    }

    /// The remote that landings are pushed to; `None` if they stay local.
    pub(crate) async fn load_publish_remote(
        &self,
        row: &RepoRow,
        project: &ProjectRow,
    ) -> Result<Option<RemoteRepo>, AccessError> {
        let said = repo_remotes::load(&self.db, row.id).await?;
        let pushes = said.as_ref().and_then(|said| said.push).unwrap_or(row.url.is_some());
        if !pushes {
            return Ok(None);
        }
        let url = row.url.as_deref().or(said.as_ref().and_then(|said| said.url.as_deref()));
        self.build_remote(url, row, project, said.as_ref()).await
    }

    pub(crate) async fn build_remote(
        &self,
        url: Option<&str>,
        row: &RepoRow,
        project: &ProjectRow,
        said: Option<&RepoRemoteRow>,
    ) -> Result<Option<RemoteRepo>, AccessError> {
        let Some(url) = url.and_then(|url| RemoteUrl::new(url).ok()) else { return Ok(None) };
        let token = match said.and_then(|said| said.sealed_token.as_deref()) {
            Some(sealed) => Some(self.token_seal.decrypt(&row.id.to_string(), sealed)?),
            None => None,
        };
        let installations = [
            project.settings.github_installation_id().map_err(EngineError::from)?,
            said.and_then(|said| said.installation_id),
        ];
        let addresses = self.check_address(&url).await?;
        let access = self.access_to(&url, &installations, token).await?;
        let deadline = Duration::from_secs(self.remote_settings.timeout_seconds);
        Ok(Some(self.remote(url, access).with_deadline(deadline).with_addresses(&addresses)))
    }

    /// A remote repository with its isolated git directory.
    pub(crate) fn remote(&self, url: RemoteUrl, access: RemoteCredentials) -> RemoteRepo {
        RemoteRepo::new(url, access, self.home.isolated_git_dirs())
    }

    /// Whether the server's own credentials would open a URL without its own token (S-6).
    pub fn lends_credentials(&self, url: &str) -> bool {
        let Ok(url) = RemoteUrl::new(url) else { return false };
        let settings = &self.remote_settings;
        match url.origin() {
            Some(origin) => origin == settings.github_url && settings.github_token.is_some(),
            None => {
                let mut variables = self.environment.vars();
                url.host().is_some() && variables.any(|(name, _)| name == "SSH_AUTH_SOCK")
            }
        }
    }

    /// The first available credentials for a URL.
    pub(crate) async fn access_to(
        &self,
        url: &RemoteUrl,
        installations: &[Option<u64>],
        token: Option<AccessToken>,
    ) -> Result<RemoteCredentials, AccessError> {
        let Some(origin) = url.origin() else {
            let mut variables = self.environment.vars();
            let socket = variables.find(|(name, _)| name == "SSH_AUTH_SOCK");
            return Ok(socket.map_or(RemoteCredentials::Anonymous, |(_, socket)| {
                RemoteCredentials::SshAgent(socket)
            }));
        };
        let settings = &self.remote_settings;
        let is_github = origin == settings.github_url;
        if is_github && let Some(id) = installations.iter().copied().flatten().next() {
            let now = self.clock.now().millis() / 1000;
            let secret = settings.github.installation_token(id, now).await?;
            let token = AccessToken::new(secret, None);
            return Ok(RemoteCredentials::Token(
                token.map_err(|error| GitHubError::UnexpectedAnswer(error.to_string()))?,
            ));
        }
        let environment = settings.github_token.clone().filter(|_| is_github);
        Ok(token.or(environment).map_or(RemoteCredentials::Anonymous, RemoteCredentials::Token))
    }
}
