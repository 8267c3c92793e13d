//! Repositories that are added by their address: cloned bare into the data directory.

use super::name;
use super::repo::insert;
use crate::engine::Engine;
use crate::errors::EngineError;
use crate::remotes::installation_of;
use forge_domain::{Actor, ProjectId, RepoId};
use forge_git::{CloneError, RemoteUrl, Token};
use forge_store::tables::repo_remotes::RepoRemote;
use forge_store::tables::repos::Repo;

/// A repository elsewhere.
#[derive(Debug, Clone)]
pub struct NewRemote {
    /// Where it is.
    pub url: String,
    /// What to call it; the last part of its address when absent.
    pub name: Option<String>,
    /// What opens it; kept for later, and never shown again.
    pub token: Option<Token>,
}

impl Engine {
    /// Clones a repository and adds it to a project; the first one is the primary one. Who asked may hang up: the clone
    /// goes on. If it fails nothing is left of it.
    pub async fn add_remote(
        &self,
        actor: Actor,
        project: ProjectId,
        asked: NewRemote,
    ) -> Result<Repo, EngineError> {
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
        let engine = self.clone();
        let cloning = self.0.tasks.spawn(async move {
            let dead = engine.0.dead.clone();
            tokio::select! {
                () = dead.cancelled() => Err(EngineError::RepoUnusable("the server is stopping; ask again".to_owned())),
                added = engine.clone_and_add(actor, project, url, name, asked.token) => added,
            }
        });
        cloning.await.map_err(|error| EngineError::RepoUnusable(error.to_string()))?
    }

    async fn clone_and_add(
        &self,
        actor: Actor,
        project: ProjectId,
        url: RemoteUrl,
        name: String,
        token: Option<Token>,
    ) -> Result<Repo, EngineError> {
        let now = self.now();
        let id = RepoId::new(self.0.ids.next(now));
        let path = self.0.home.clone_of(id.uuid());
        let unusable = |error: CloneError| EngineError::RepoUnusable(error.to_string());
        let installation = installation_of(&self.project(project).await?.settings)?;
        let sealed = token.as_ref().map(|token| self.sealed(id, token)).transpose()?;
        let access = self
            .access_to(&url, &[installation], token)
            .await
            .map_err(|error| EngineError::RepoUnusable(error.to_string()))?;
        let remote = self.remote(url, access);
        let repo =
            forge_git::Repo::clone_bare(&self.0.git, &remote, &path).await.map_err(unusable)?;
        let branch = repo
            .default_branch()
            .await
            .map_err(|error| EngineError::RepoUnusable(error.to_string()))?;
        let row = Repo {
            id,
            project_id: project,
            name,
            path: Some(path.to_string_lossy().into_owned()),
            url: Some(remote.to_string()),
            default_branch: branch.to_string(),
            primary: false,
            created_at: now,
        };
        let said = sealed
            .map(|sealed| RepoRemote { sealed_token: Some(sealed), ..RepoRemote::new(id, now) });
        let added = insert(self, actor, row, said).await;
        if added.is_err() {
            // Nobody knows of it, so nothing is in it but what is elsewhere.
            forge_git::discard_clone(&path).await.ok();
        }
        added
    }
}
