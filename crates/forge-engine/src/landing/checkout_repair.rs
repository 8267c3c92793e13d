//! Checkouts of target branches after a start: completes a fast-forward that an interrupted landing left between a
//! branch and its checkout, even if nothing lands there again.

use crate::effects::engine_tasks::EngineTasks;
use crate::effects::{EffectError, ErrorChain};
use crate::workspace::pool::OpenedRepos;
use forge_git::{BranchName, FastForwardError, RepoLocks};
use forge_store::Db;
use forge_store::tables::{self, repos};
use std::collections::BTreeSet;
use std::path::Path;

/// Completes interrupted updates of checkouts after a start.
#[derive(Debug, Clone)]
pub(crate) struct CheckoutRepair {
    pub(crate) db: Db,
    pub(crate) opened_repos: OpenedRepos,
    pub(crate) repo_locks: RepoLocks,
    pub(crate) tasks: EngineTasks,
}

impl CheckoutRepair {
    /// Starts the check of every checkout in the background. A landing that comes meanwhile does the same for its own
    /// target first.
    pub(crate) fn start_checkout_repair(&self) {
        let repair = self.clone();
        self.tasks.spawn_until_death(async move { repair.finish_all_checkouts().await });
    }

    async fn finish_all_checkouts(&self) {
        let repos = match tables::repos::list_all(&self.db).await {
            Ok(repos) => repos,
            Err(error) => {
                tracing::warn!(%error, "could not check the checkouts of target branches");
                return;
            }
        };
        for row in repos {
            if let Err(error) = self.finish_checkouts_of(&row).await {
                let error = ErrorChain(&error);
                tracing::warn!(repository = row.name, %error, "could not check checkouts");
            }
        }
    }

    /// Checks the branches with an interrupted move on record, and the default branch.
    async fn finish_checkouts_of(&self, row: &repos::RepoRow) -> Result<(), EffectError> {
        let Some(path) = row.path.as_deref().map(Path::new).filter(|path| path.is_dir()) else {
            return Ok(());
        };
        let repo = self.opened_repos.open(path).await?;
        let moves = self.repo_locks.load_unfinished_moves().into_iter();
        let here = moves.filter(|found| found.common_dir == repo.common_dir());
        let mut branches: BTreeSet<String> = here.map(|found| found.branch).collect();
        branches.insert(row.default_branch.clone());
        for branch in branches {
            let Ok(branch) = BranchName::new(branch) else { continue };
            if repo.checkouts_of(&branch).await?.is_empty() {
                continue;
            }
            let locked = self.repo_locks.acquire(&repo).await?;
            let finished = async {
                locked.finish_checkouts(&branch, None).await?;
                locked.check_indexes(&branch).await
            };
            match finished.await {
                Ok(_) => {}
                Err(FastForwardError::Git(error)) => return Err(error.into()),
                // A landing there waits and reports the reason; nothing more to do here.
                Err(error) => tracing::warn!(%branch, %error, "checkout is not up to date"),
            }
        }
        Ok(())
    }
}
