//! Repositories added by URL: cloned bare into the data directory.

use crate::admin::name;
use crate::admin::repo::Repos;
use crate::command::errors::EngineError;
use forge_domain::{Actor, ProjectId, RepoId};
use forge_git::{AccessToken, RemoteUrl, RepoCloneError};
use forge_store::tables::repo_remotes::RepoRemoteRow;
use forge_store::tables::repos::RepoRow;
use std::net::IpAddr;

/// A remote repository to clone.
#[derive(Debug, Clone)]
pub struct RemoteRepoSpec {
    pub url: String,
    /// Its name; by default the last component of its URL.
    pub name: Option<String>,
    /// Its access token; stored encrypted, and never shown again.
    pub token: Option<AccessToken>,
}

impl Repos {
    /// Clones a repository and adds it to a project; the first one is the primary one. The clone continues if the
    /// client disconnects. If it fails nothing remains.
    pub async fn add_remote(
        &self,
        actor: Actor,
        project: ProjectId,
        asked: RemoteRepoSpec,
    ) -> Result<RepoRow, EngineError> {
        self.check_takes_repos(project).await?;
        let url = RemoteUrl::new(asked.url).map_err(|error| EngineError::InvalidField {
            field: "url",
            problem: error.to_string(),
        })?;
        let name = match asked.name {
            Some(name) => name,
            None => url.name().unwrap_or("repo").to_owned(),
        };
        name::check(&name)?;
        self.check_repo_name(project, &name).await?;
        self.boundary.check_file_address(project, &url).await?;
        let addresses = self.remotes.check_address(&url).await?;
        let (repos, tasks) = (self.clone(), self.tasks.clone());
        let cloning = self.tasks.spawn(async move {
            tokio::select! {
                () = tasks.died() => Err(EngineError::RepoUnusable("the server is stopping; ask again".to_owned())),
                added = repos.clone_and_add(actor, project, (url, addresses), name, asked.token) => added,
            }
        });
        cloning.await.map_err(|error| EngineError::RepoUnusable(error.to_string()))?
    }

    async fn clone_and_add(
        &self,
        actor: Actor,
        project: ProjectId,
        (url, addresses): (RemoteUrl, Vec<IpAddr>),
        name: String,
        token: Option<AccessToken>,
    ) -> Result<RepoRow, EngineError> {
        let now = self.clock.now();
        let id = RepoId::new(self.ids.next(now));
        let path = self.home.clone_of(id.uuid());
        let unusable = |error: RepoCloneError| EngineError::RepoUnusable(error.to_string());
        let installation =
            self.records.project(project).await?.settings.github_installation_id()?;
        let sealed = token.as_ref().map(|token| self.remotes.sealed(id, token)).transpose()?;
        let access = self
            .remotes
            .access_to(&url, &[installation], token)
            .await
            .map_err(|error| EngineError::RepoUnusable(error.to_string()))?;
        let remote = self.remotes.remote(url, access).with_addresses(&addresses);
        let repo =
            forge_git::Repo::clone_bare(&self.git, &remote, &path).await.map_err(unusable)?;
        let branch = repo
            .default_branch(None)
            .await
            .map_err(|error| EngineError::RepoUnusable(error.to_string()))?;
        let row = RepoRow {
            id,
            project_id: project,
            name,
            path: Some(path.to_string_lossy().into_owned()),
            url: Some(remote.to_string()),
            default_branch: branch.to_string(),
            primary: false,
            created_at: now,
        };
        let said = sealed.map(|sealed| RepoRemoteRow {
            sealed_token: Some(sealed),
            ..RepoRemoteRow::new(id, now)
        });
        let added = self.insert(actor, row, said).await;
        if added.is_err() {
            // The clone is not registered, so it holds nothing that the remote does not have.
            forge_git::discard_clone(&path).await.ok();
        }
        added
    }
}
