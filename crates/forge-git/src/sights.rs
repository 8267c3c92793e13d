use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::diff::{DiffLimits, DiffScope};
use crate::error::GitError;
use crate::footprint::Footprint;
use crate::object_id::ObjectId;
use crate::ref_name::BranchName;
use crate::repo::Repo;
use crate::root::{DirectoryName, WorkspaceRoot};
use crate::sight::{Comparison, Sight};
use crate::summary::Summary;
use crate::verify::VerifyError;
use crate::watch::Watcher;
use crate::worktree::Worktree;

/// What is kept of diffs, of all worktrees together.
const MOST_DIFF_BYTES: usize = 128 * 1024 * 1024;

/// What was found out of worktrees, kept for as long as nothing changes in them (W-16): as long as the kernel reports
/// nothing and HEAD, index, branch and settings are the same, a question costs a few reads and no git.
#[derive(Debug, Clone)]
pub struct Sights(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    watcher: Option<Watcher>,
    known: Mutex<HashMap<PathBuf, Arc<Sight>>>,
}

impl Sights {
    /// Nothing is known yet. Without a watcher nothing is kept, and each question asks git.
    pub fn new(watcher: Option<Watcher>) -> Self {
        Self(Arc::new(Inner { watcher, known: Mutex::default() }))
    }

    /// The same as [`Worktree::open`], by what is known where that still holds.
    pub async fn worktree(
        &self,
        repo: &Repo,
        root: &WorkspaceRoot,
        name: &DirectoryName,
        branch: &BranchName,
    ) -> Result<Option<Worktree>, GitError> {
        let known = self.known().get(&root.directory(name)).map(|sight| sight.worktree().clone());
        if let Some(worktree) = known
            && worktree.branch() == branch
            && worktree.repo().common_dir() == repo.common_dir()
            && worktree.is_recorded()
        {
            return Ok(Some(worktree));
        }
        Worktree::open(repo, root, name, branch).await
    }

    /// Branch, commit, distance from the target's commit and counts of what is not committed.
    pub async fn summary(
        &self,
        worktree: &Worktree,
        target: &ObjectId,
    ) -> Result<Summary, VerifyError> {
        match self.sight(worktree).await {
            Some((sight, footprint)) => {
                let found = sight.summary(&footprint, target).await;
                self.begin(&sight, &footprint);
                Ok(found?)
            }
            None => {
                worktree.verify().await?;
                Ok(worktree.summary(target).await?)
            }
        }
    }

    /// The changes since the worktree's branch left its target, or since the last commit.
    pub async fn diff(
        &self,
        worktree: &Worktree,
        target: &ObjectId,
        scope: DiffScope,
        limits: DiffLimits,
    ) -> Result<Arc<Comparison>, VerifyError> {
        let (sight, footprint) = match self.sight(worktree).await {
            Some(found) => found,
            None => {
                let head = worktree.verify().await?.head;
                return Ok(self.diff_anew(worktree, head, target, scope, limits).await?);
            }
        };
        let found = sight.compare(&footprint, target, scope, limits).await?;
        self.begin(&sight, &footprint);
        self.keep_within_bounds(&sight);
        Ok(found)
    }

    /// A number that moves whenever the worktree may have changed; `None` when it cannot be watched. The channel is
    /// closed when the worktree goes.
    pub async fn follow(&self, worktree: &Worktree) -> Option<watch::Receiver<u64>> {
        let watcher = self.0.watcher.as_ref()?;
        let (sight, _) = self.sight(worktree).await?;
        let watch = sight.watch(watcher).await?;
        watch.generation()?;
        Some(watch.changes())
    }

    async fn diff_anew(
        &self,
        worktree: &Worktree,
        head: ObjectId,
        target: &ObjectId,
        scope: DiffScope,
        limits: DiffLimits,
    ) -> Result<Arc<Comparison>, GitError> {
        let base = match scope {
            DiffScope::Uncommitted => head.clone(),
            DiffScope::Branch | DiffScope::All => {
                let base = worktree.repo().merge_base(target, &head).await?;
                base.unwrap_or_else(|| target.clone())
            }
        };
        let diff = worktree.diff(&base, scope, limits).await?;
        Ok(Arc::new(Comparison { base, head, diff }))
    }

    /// What is kept of a worktree that is what our records say.
    async fn sight(&self, worktree: &Worktree) -> Option<(Arc<Sight>, Footprint)> {
        let footprint = load(worktree).await?;
        let sight = {
            let mut known = self.known();
            let current = known
                .get(worktree.path())
                .filter(|sight| sight.is_of(worktree, &footprint, self.0.watcher.as_ref()));
            match current {
                Some(sight) => Arc::clone(sight),
                None => {
                    known.retain(|path: &PathBuf, _| Path::is_dir(path));
                    let sight = Arc::new(Sight::new(worktree, &footprint));
                    known.insert(worktree.path().to_owned(), Arc::clone(&sight));
                    sight
                }
            }
        };
        Some((sight, footprint))
    }

    /// Watches what was asked about. Whoever asked first has the answer already; whoever asks next finds it.
    fn begin(&self, sight: &Arc<Sight>, footprint: &Footprint) {
        let Some(watcher) = self.0.watcher.clone().filter(|_| sight.begins()) else { return };
        let (sight, footprint) = (Arc::clone(sight), footprint.clone());
        tokio::spawn(async move {
            if sight.watch(&watcher).await.is_some() {
                sight.counts(&footprint).await.ok();
            }
        });
    }

    fn keep_within_bounds(&self, asked: &Arc<Sight>) {
        let known = self.known();
        if known.values().map(|sight| sight.diff_bytes()).sum::<usize>() > MOST_DIFF_BYTES {
            known
                .values()
                .filter(|sight| !Arc::ptr_eq(sight, asked))
                .for_each(|sight| sight.drop_diffs());
        }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<PathBuf, Arc<Sight>>> {
        self.0.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A disk may be slow to answer.
async fn load(worktree: &Worktree) -> Option<Footprint> {
    let worktree = worktree.clone();
    tokio::task::spawn_blocking(move || worktree.footprint()).await.ok().flatten()
}
