//! What people say about a repository's other side: whether what lands is pushed there, and what opens it (M-15).

use crate::engine::Engine;
use crate::errors::EngineError;
use forge_domain::{Actor, ProjectId, RepoId};
use forge_git::{RemoteUrl, Token};
use forge_store::tables::repo_remotes::RepoRemote;
use forge_store::tables::{self, repos::Repo};
use std::path::Path;
use std::sync::Arc;

/// How a repository is reached elsewhere. The token is not in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteState {
    /// Where; none if nobody said so.
    pub url: Option<String>,
    /// Whether what lands is pushed there.
    pub push: bool,
    /// The installation of the GitHub App.
    pub installation_id: Option<u64>,
    /// Whether it has a token of its own.
    pub has_token: bool,
}

/// A change to it. Absent fields stay.
#[derive(Debug, Clone, Default)]
pub struct RemotePatch {
    /// Whether what lands is pushed.
    pub push: Option<bool>,
    /// The installation of the GitHub App; none of its own with `Some(None)`.
    pub installation_id: Option<Option<u64>>,
}

impl Engine {
    /// How a repository is reached elsewhere.
    pub async fn repo_remote(
        &self,
        project: ProjectId,
        repo: RepoId,
    ) -> Result<RemoteState, EngineError> {
        let row = self.repo_in(project, repo).await?;
        let said = tables::repo_remotes::load(&self.0.db, repo).await?;
        Ok(state(&row, said.as_ref()))
    }

    /// Changes it. For a repository of this machine that begins to push, the address of its remote `origin` is taken
    /// as it is now: what is written into its settings later leads no push elsewhere.
    pub async fn change_repo_remote(
        &self,
        actor: Actor,
        project: ProjectId,
        repo: RepoId,
        patch: RemotePatch,
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

    /// Gives a repository a token of its own, in place of the one it had, or takes it away.
    pub async fn set_repo_token(
        &self,
        actor: Actor,
        project: ProjectId,
        repo: RepoId,
        token: Option<Token>,
    ) -> Result<(), EngineError> {
        let row = self.repo_in(project, repo).await?;
        let sealed = token.map(|token| self.sealed(repo, &token)).transpose()?;
        self.put_remote(actor, row, move |said| said.sealed_token.clone_from(&sealed)).await?;
        Ok(())
    }

    /// A token as it is stored.
    pub(super) fn sealed(&self, repo: RepoId, token: &Token) -> Result<String, EngineError> {
        let sealed = self.0.seal.close(&repo.to_string(), token);
        sealed.map_err(|error| EngineError::RepoUnusable(error.to_string()))
    }

    /// The repository, if it is one of the project.
    pub(super) async fn repo_in(
        &self,
        project: ProjectId,
        repo: RepoId,
    ) -> Result<Repo, EngineError> {
        let row = tables::repos::load(&self.0.db, repo).await?;
        row.filter(|row| row.project_id == project)
            .ok_or_else(|| EngineError::NotFound { noun: "repository", id: repo.to_string() })
    }

    async fn origin_in(&self, row: &Repo) -> Result<String, EngineError> {
        let unusable = |error: String| EngineError::RepoUnusable(error);
        let path = row.path.as_deref().unwrap_or_default();
        let repo = forge_git::Repo::open(&self.0.git, Path::new(path))
            .await
            .map_err(|error| unusable(error.to_string()))?;
        let origin = repo.origin().await.map_err(|error| unusable(error.to_string()))?;
        let origin = origin.ok_or_else(|| {
            unusable(format!("{path} has no remote named origin; add one with git remote add"))
        })?;
        // A path is what git takes for a repository of the same machine.
        let origin = if origin.starts_with('/') { format!("file://{origin}") } else { origin };
        let url = RemoteUrl::new(origin)
            .map_err(|error| unusable(format!("the address of the remote origin: {error}")))?;
        Ok(url.to_string())
    }

    async fn put_remote(
        &self,
        actor: Actor,
        row: Repo,
        change: impl Fn(&mut RepoRemote) + Send + Sync + 'static,
    ) -> Result<RemoteState, EngineError> {
        let (now, row, change) = (self.now(), Arc::new(row), Arc::new(change));
        self.0
            .db
            .write(move |tx| {
                let (row, change, actor) = (row.clone(), change.clone(), actor.clone());
                Box::pin(async move {
                    tables::projects::lock(tx, row.project_id).await?;
                    let said = tables::repo_remotes::load_in(tx, row.id).await?;
                    let mut said = said.unwrap_or_else(|| RepoRemote::new(row.id, now));
                    change(&mut said);
                    said.updated_at = now;
                    tables::repo_remotes::put(tx, &said).await?;
                    let state = state(&row, Some(&said));
                    let data = serde_json::json!({
                        "id": row.id, "name": row.name, "push": state.push, "has_token": state.has_token,
                    });
                    let kind = "repo.updated".to_owned();
                    let event = tables::events::NewEvent { kind, version: 1, at: now, data };
                    tables::events::append(tx, row.project_id, &actor, None, &[event]).await?;
                    Ok::<_, EngineError>(state)
                })
            })
            .await
    }
}

fn state(row: &Repo, said: Option<&RepoRemote>) -> RemoteState {
    RemoteState {
        url: row.url.clone().or_else(|| said.and_then(|said| said.url.clone())),
        push: said.and_then(|said| said.push).unwrap_or(row.url.is_some()),
        installation_id: said.and_then(|said| said.installation_id),
        has_token: said.is_some_and(|said| said.sealed_token.is_some()),
    }
}
