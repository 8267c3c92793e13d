//! Cleans up after repositories that no project has (W-15).

use crate::effects::EffectError;
use crate::workspace::pool::maintain::WorktreePools;
use forge_domain::RepoId;
use forge_git::WorktreePool;
use forge_store::tables;
use std::path::PathBuf;

impl WorktreePools {
    /// Removes everything that a dead process left.
    pub(crate) async fn remove_abandoned(&self) -> Result<(), EffectError> {
        let (root, locks) = (&self.root, &self.workspace_locks);
        for row in tables::repos::list(&self.db).await? {
            let Some(path) = row.path.map(PathBuf::from) else { continue };
            let Ok(repo) = self.opened_repos.open(&path).await else { continue };
            if let Err(error) = root.drop_trials(&repo, &self.repo_locks, locks).await {
                tracing::warn!(repository = %path.display(), %error, "could not remove trials");
            }
            let dropped =
                async { self.repo_locks.acquire(&repo).await?.drop_journal_locks().await };
            if let Err(error) = dropped.await {
                tracing::warn!(repository = %path.display(), %error, "could not remove stale journal locks");
            }
        }
        if root.drop_lost_trials(locks).await? > 0 {
            self.start_emptying_trash();
        }
        self.remove_abandoned_pools().await
    }

    /// Removes the files of a repository that was removed from its project. A clone made by Forge is moved aside after
    /// git dropped the pooled worktrees, because journal entries in it may exist nowhere else.
    pub(crate) async fn clean_up_removed_repo(&self, repo: RepoId) -> Result<(), EffectError> {
        self.remove_abandoned_pools().await?;
        if tables::repos::load(&self.db, repo).await?.is_some() {
            return Ok(());
        }
        if let Some(kept) = forge_git::archive_clone(&self.home.clone_of(repo.uuid())).await? {
            tracing::info!(%repo, kept = %kept.display(), "moved the clone of a removed repository aside");
        }
        Ok(())
    }

    /// A registered repository that cannot be opened may return later, so its pool stays.
    async fn remove_abandoned_pools(&self) -> Result<(), EffectError> {
        let (mut known, mut places) = (Vec::new(), Vec::new());
        for row in tables::repos::list(&self.db).await? {
            let Some(path) = row.path.map(PathBuf::from) else { continue };
            match self.opened_repos.open(&path).await {
                Ok(repo) => known.push(WorktreePool::open(&repo, &self.root, &self.repo_locks)?),
                Err(_) => places.push(path),
            }
        }
        let (git, locks) = (&self.git, &self.repo_locks);
        if self.root.drop_abandoned_pools(git, locks, &known, &places).await? > 0 {
            self.start_emptying_trash();
        }
        Ok(())
    }
}
