//! Taking a repository from its project.

use crate::engine::Engine;
use crate::errors::EngineError;
use crate::lookup::found;
use forge_domain::{Actor, ProjectId, RepoId};
use forge_store::tables;

/// How many tasks a refusal names.
const NAMED: usize = 10;

impl Engine {
    /// Takes a repository from its project, unless a task still needs it. The repository itself is not touched; a clone
    /// of ours is set aside, and what waited for its tasks goes unless another project has the same repository. If it
    /// was the primary one, the one that was added first of those left is.
    pub async fn remove_repo(
        &self,
        actor: Actor,
        project: ProjectId,
        repo: RepoId,
    ) -> Result<(), EngineError> {
        self.repo_in(project, repo).await?;
        let now = self.now();
        self.0
            .db
            .write(move |tx| {
                let actor = actor.clone();
                Box::pin(async move {
                    // A task that is being made has its repository already.
                    tables::projects::close_entry(tx, project).await?;
                    tables::projects::lock(tx, project).await?;
                    let row = found(tables::repos::load_in(tx, repo).await?, "repository", repo)?;
                    let limit = u32::try_from(NAMED + 1).unwrap_or(u32::MAX);
                    let mut tasks = tables::tasks::users_of_repo(tx, project, repo, limit).await?;
                    if !tasks.is_empty() {
                        let more = tasks.len() > NAMED;
                        tasks.truncate(NAMED);
                        return Err(EngineError::RepoInUse { name: row.name, tasks, more });
                    }
                    tables::repos::remove(tx, &row).await?;
                    let data = serde_json::json!({ "id": row.id, "name": row.name });
                    let kind = "repo.removed".to_owned();
                    let event = tables::events::NewEvent { kind, version: 1, at: now, data };
                    tables::events::append(tx, project, &actor, None, &[event]).await?;
                    Ok::<_, EngineError>(())
                })
            })
            .await?;
        self.tend_removed(repo);
        Ok(())
    }
}
