//! Remote settings of a repository: whether landings are pushed, and with which credentials (M-15).

use crate::admin::repo::Repos;
use crate::command::errors::EngineError;
use crate::command::event_log::append_events;
use crate::remote::access::Remotes;
use forge_domain::{Actor, ProjectId, RepoId};
use forge_git::{AccessToken, RemoteUrl};
use forge_store::tables::repo_remotes::RepoRemoteRow;
use forge_store::tables::{self, repos::RepoRow};
use std::path::Path;
use std::sync::Arc;

/// How a repository's remote is reached, without the token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteState {
    /// The remote's URL, if any.
    pub url: Option<String>,
    /// Whether landings are pushed there.
    pub push: bool,
    /// The installation of the GitHub App.
    pub installation_id: Option<u64>,
    /// Whether the repository has its own token.
    pub has_token: bool,
}

/// A change to the remote settings. Absent fields stay.
#[derive(Debug, Clone, Default)]
pub struct RemoteChange {
    /// Whether landings are pushed.
    pub push: Option<bool>,
    /// The installation of the GitHub App; `Some(None)` removes it.
    pub installation_id: Option<Option<u64>>,
}

impl Repos {
    /// The remote settings of a repository.
    pub async fn repo_remote(
        &self,
        project: ProjectId,
        repo: RepoId,
    ) -> Result<RemoteState, EngineError> {
        let row = self.repo_in(project, repo).await?;
        let said = tables::repo_remotes::load(&self.db, repo).await?;
        Ok(state(&row, said.as_ref()))
    }

    /// Changes the remote settings. When a local repository starts to push, the URL of its remote `origin` is stored:
    /// later changes to its git config do not redirect pushes.
    pub async fn change_repo_remote(
        &self,
        actor: Actor,
        project: ProjectId,
        repo: RepoId,
        patch: RemoteChange,
    ) -> Result<RemoteState, EngineError> {
        let row = self.repo_in(project, repo).await?;
        let origin = match patch.push {
            Some(true) if row.url.is_none() => Some(self.origin_in(&row).await?),
            _ => None,
        };
        if patch.installation_id == Some(Some(0)) {
            let problem = "must be the number at the end of the installation's page on GitHub";
            return Err(EngineError::InvalidField {
                field: "installation_id",
                problem: problem.to_owned(),
            });
        }
        self.put_remote(actor, row, move |said| {
            said.push = patch.push.or(said.push);
            said.url = origin.clone().or(said.url.take());
            said.installation_id = patch.installation_id.unwrap_or(said.installation_id);
        })
        .await
    }

    /// Sets, replaces or removes a repository's own token.
    pub async fn set_repo_token(
        &self,
        actor: Actor,
        project: ProjectId,
        repo: RepoId,
        token: Option<AccessToken>,
    ) -> Result<(), EngineError> {
        let row = self.repo_in(project, repo).await?;
        let sealed = token.map(|token| self.remotes.sealed(repo, &token)).transpose()?;
        self.put_remote(actor, row, move |said| said.sealed_token.clone_from(&sealed)).await?;
        Ok(())
    }
}

impl Remotes {
    /// Encrypts a token for storage.
    pub(crate) fn sealed(&self, repo: RepoId, token: &AccessToken) -> Result<String, EngineError> {
        let sealed = self.token_seal.encrypt(&repo.to_string(), token);
        sealed.map_err(|error| EngineError::RepoUnusable(error.to_string()))
    }
}

impl Repos {
    /// Loads a repository of the project.
    pub(crate) async fn repo_in(
        &self,
        project: ProjectId,
        repo: RepoId,
    ) -> Result<RepoRow, EngineError> {
        let row = tables::repos::load(&self.db, repo).await?;
        row.filter(|row| row.project_id == project)
            .ok_or_else(|| EngineError::NotFound { noun: "repository", id: repo.to_string() })
    }

    async fn origin_in(&self, row: &RepoRow) -> Result<String, EngineError> {
        let unusable = |error: String| EngineError::RepoUnusable(error);
        let path = row.path.as_deref().unwrap_or_default();
        let repo = forge_git::Repo::open(&self.git, Path::new(path))
            .await
            .map_err(|error| unusable(error.to_string()))?;
        let origin = repo.origin_url().await.map_err(|error| unusable(error.to_string()))?;
        let origin = origin.ok_or_else(|| {
            unusable(format!("{path} has no remote named origin; add one with git remote add"))
        })?;
        // Git treats a path as a local repository.
        let origin = if origin.starts_with('/') { format!("file://{origin}") } else { origin };
        let url = RemoteUrl::new(origin)
            .map_err(|error| unusable(format!("the address of the remote origin: {error}")))?;
        self.boundary.check_file_address(row.project_id, &url).await?;
        self.remotes.check_address(&url).await?;
        Ok(url.to_string())
    }

    async fn put_remote(
        &self,
        actor: Actor,
        row: RepoRow,
        change: impl Fn(&mut RepoRemoteRow) + Send + Sync + 'static,
    ) -> Result<RemoteState, EngineError> {
        let (now, row, change) = (self.clock.now(), Arc::new(row), Arc::new(change));
        self.db
            .write(move |tx| {
                let (row, change, actor) = (row.clone(), change.clone(), actor.clone());
                Box::pin(async move {
                    tables::projects::lock(tx, row.project_id).await?;
                    let said = tables::repo_remotes::load_in(tx, row.id).await?;
                    let mut said = said.unwrap_or_else(|| RepoRemoteRow::new(row.id, now));
                    change(&mut said);
                    said.updated_at = now;
                    tables::repo_remotes::put(tx, &said).await?;
                    let state = state(&row, Some(&said));
                    let data = serde_json::json!({
                        "id": row.id, "name": row.name, "push": state.push, "has_token": state.has_token,
                    });
                    let kind = "repo.updated".to_owned();
                    let event = tables::events::NewEvent { kind, version: 1, at: now, data };
                    append_events(tx, row.project_id, &actor, &[event]).await?;
                    Ok::<_, EngineError>(state)
                })
            })
            .await
    }
}

fn state(row: &RepoRow, said: Option<&RepoRemoteRow>) -> RemoteState {
    RemoteState {
        url: row.url.clone().or_else(|| said.and_then(|said| said.url.clone())),
        push: said.and_then(|said| said.push).unwrap_or(row.url.is_some()),
        installation_id: said.and_then(|said| said.installation_id),
        has_token: said.is_some_and(|said| said.sealed_token.is_some()),
    }
}
