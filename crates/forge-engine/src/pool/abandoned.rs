//! What is left of repositories that no project has any more (W-15).

use crate::effects::Failure;
use crate::engine::Engine;
use forge_domain::RepoId;
use forge_git::Pool;
use forge_store::tables;
use std::path::PathBuf;

impl Engine {
    /// Clears all that a dead process left.
    pub(super) async fn clear_abandoned(&self) -> Result<(), Failure> {
        let (root, locks) = (&self.0.root, &self.0.workspace_locks);
        for row in tables::repos::list(&self.0.db).await? {
            let Some(path) = row.path.map(PathBuf::from) else { continue };
            let Ok(repo) = self.open_repo(&path).await else { continue };
            if let Err(error) = root.drop_trials(&repo, &self.0.repo_locks, locks).await {
                tracing::warn!(repository = %path.display(), %error, "trials may be left there");
            }
        }
        if root.drop_lost_trials(locks).await? > 0 {
            self.tend_trash();
        }
        self.clear_abandoned_pools().await
    }

    /// Clears what a repository leaves that was taken from its project. A clone of ours is set aside, after git has
    /// forgotten the worktrees that waited: what was saved in it may be nowhere else.
    pub(super) async fn clear_removed(&self, repo: RepoId) -> Result<(), Failure> {
        self.clear_abandoned_pools().await?;
        if tables::repos::load(&self.0.db, repo).await?.is_some() {
            return Ok(());
        }
        if let Some(kept) = forge_git::keep_clone(&self.0.home.clone_of(repo.uuid())).await? {
            tracing::info!(%repo, kept = %kept.display(), "set the clone of a removed repository aside");
        }
        Ok(())
    }

    /// A repository that some project has and that cannot be opened may be back tomorrow: its pool stays.
    async fn clear_abandoned_pools(&self) -> Result<(), Failure> {
        let (mut known, mut places) = (Vec::new(), Vec::new());
        for row in tables::repos::list(&self.0.db).await? {
            let Some(path) = row.path.map(PathBuf::from) else { continue };
            match self.open_repo(&path).await {
                Ok(repo) => known.push(Pool::open(&repo, &self.0.root, &self.0.repo_locks)?),
                Err(_) => places.push(path),
            }
        }
        let (git, locks) = (&self.0.git, &self.0.repo_locks);
        if self.0.root.drop_abandoned_pools(git, locks, &known, &places).await? > 0 {
            self.tend_trash();
        }
        Ok(())
    }
}
