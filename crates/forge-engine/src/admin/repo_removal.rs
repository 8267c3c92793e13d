//! Removes a repository from its project.

use crate::admin::repo::Repos;
use crate::command::errors::EngineError;
use crate::command::event_log::append_events;
use crate::command::lookup::require_found;
use forge_domain::{Actor, ProjectId, RepoId};
use forge_store::tables;

/// How many tasks an error names.
const NAMED: usize = 10;

impl Repos {
    /// Removes a repository from its project, unless a task needs it. The repository itself stays untouched; a clone
    /// made by Forge is moved aside, and its pool is deleted unless another project has the same repository. If it was
    /// the primary one, the oldest remaining one becomes primary.
    pub async fn remove_repo(
        &self,
        actor: Actor,
        project: ProjectId,
        repo: RepoId,
    ) -> Result<(), EngineError> {
        self.repo_in(project, repo).await?;
        let now = self.clock.now();
        self.db
            .write(move |tx| {
                let actor = actor.clone();
                Box::pin(async move {
                    // A task in creation already has its repository.
                    tables::projects::lock_workflow(tx, project).await?;
                    tables::projects::lock(tx, project).await?;
                    let row =
                        require_found(tables::repos::load_in(tx, repo).await?, "repository", repo)?;
                    let limit = u32::try_from(NAMED + 1).unwrap_or(u32::MAX);
                    let mut tasks =
                        tables::tasks::tasks_using_repo(tx, project, repo, limit).await?;
                    if !tasks.is_empty() {
                        let more = tasks.len() > NAMED;
                        tasks.truncate(NAMED);
                        return Err(EngineError::RepoInUse { name: row.name, tasks, more });
                    }
                    tables::repos::remove(tx, &row).await?;
                    let data = serde_json::json!({ "id": row.id, "name": row.name });
                    let kind = "repo.removed".to_owned();
                    let event = tables::events::NewEvent { kind, version: 1, at: now, data };
                    append_events(tx, project, &actor, &[event]).await?;
                    Ok::<_, EngineError>(())
                })
            })
            .await?;
        self.pools.start_repo_cleanup(repo);
        Ok(())
    }
}
