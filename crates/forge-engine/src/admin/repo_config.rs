//! Git's settings of a repository: the copy that the server uses, and the differences from it (W-19).

use crate::admin::repo::Repos;
use crate::command::errors::EngineError;
use crate::command::event_log::append_events;
use forge_domain::{Actor, ProjectId, RepoId};
use forge_git::{GitError, Repo, SettingsChange};
use forge_store::tables;
use std::path::Path;

impl Repos {
    /// The differences between a repository's current git settings and the server's copy.
    pub async fn repo_config_changes(
        &self,
        project: ProjectId,
        repo: RepoId,
    ) -> Result<Vec<SettingsChange>, EngineError> {
        let repo = self.open_registered(project, repo).await?;
        repo.settings_changes().await.map_err(|error| EngineError::RepoUnusable(error.to_string()))
    }

    /// Replaces the server's copy with the current settings. The server then runs the programs that they name.
    pub async fn accept_repo_config(
        &self,
        actor: Actor,
        project: ProjectId,
        id: RepoId,
    ) -> Result<Vec<SettingsChange>, EngineError> {
        let unusable = |error: GitError| EngineError::RepoUnusable(error.to_string());
        let repo = self.open_registered(project, id).await?;
        let accepted = repo.settings_changes().await.map_err(unusable)?;
        repo.accept_settings().await.map_err(unusable)?;
        let keys: Vec<&str> = accepted.iter().map(|change| change.key.as_str()).collect();
        let data = serde_json::json!({ "id": id, "keys": keys });
        let now = self.clock.now();
        self.db
            .write(move |tx| {
                let (actor, data) = (actor.clone(), data.clone());
                Box::pin(async move {
                    let kind = "repo.config_accepted".to_owned();
                    let event = tables::events::NewEvent { kind, version: 1, at: now, data };
                    append_events(tx, project, &actor, &[event]).await?;
                    Ok::<_, EngineError>(())
                })
            })
            .await?;
        Ok(accepted)
    }

    async fn open_registered(&self, project: ProjectId, id: RepoId) -> Result<Repo, EngineError> {
        let row = self.repo_in(project, id).await?;
        let Some(path) = row.path else {
            return Err(EngineError::NotFound {
                noun: "repository on this machine",
                id: id.to_string(),
            });
        };
        self.opened_repos
            .open(Path::new(&path))
            .await
            .map_err(|error| EngineError::RepoUnusable(error.to_string()))
    }

    /// Copies the settings of a repository at registration, unless a project already has it: registering it again must
    /// not accept changes that tasks made.
    pub(crate) async fn copy_settings_at_registration(
        &self,
        repo: &Repo,
    ) -> Result<(), EngineError> {
        for row in tables::repos::list(&self.db).await? {
            let Some(path) = row.path else { continue };
            let known = self.opened_repos.open(Path::new(&path)).await;
            if known.is_ok_and(|known| known.common_dir() == repo.common_dir()) {
                return Ok(());
            }
        }
        let copied = repo.accept_settings().await;
        copied.map_err(|error| EngineError::RepoUnusable(error.to_string()))
    }

    /// Copies the settings of every repository without a copy: those registered before copies existed.
    pub(crate) async fn copy_git_settings(&self) {
        let rows = match tables::repos::list(&self.db).await {
            Ok(rows) => rows,
            Err(error) => {
                tracing::warn!(%error, "could not list the repositories");
                return;
            }
        };
        for path in rows.into_iter().filter_map(|row| row.path) {
            // An unavailable repository is copied when it is opened.
            if let Err(error) = self.opened_repos.open(Path::new(&path)).await {
                tracing::info!(path, %error, "git settings were not copied");
            }
        }
    }
}
