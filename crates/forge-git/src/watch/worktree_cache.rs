use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::command::git_error::GitError;
use crate::diff::worktree_diff::{DiffLimits, DiffScope};
use crate::diff::worktree_summary::WorktreeSummary;
use crate::refs::object_id::ObjectId;
use crate::refs::ref_name::BranchName;
use crate::repo::repository::Repo;
use crate::watch::cached_worktree::{CachedWorktree, WorktreeComparison};
use crate::watch::watcher::WorktreeWatcher;
use crate::watch::worktree_fingerprint::WorktreeFingerprint;
use crate::worktree::verify_worktree::WorktreeVerifyError;
use crate::worktree::workspace_root::{DirectoryName, WorkspaceRoot};
use crate::worktree::worktree_handle::Worktree;

/// The size limit of cached diffs, for all worktrees together.
const MAX_DIFF_BYTES: usize = 128 * 1024 * 1024;

/// A cache of summaries and diffs of worktrees (W-16). An entry is valid as long as the kernel reports no change and
/// HEAD, index, branch and settings are the same; then a query costs a few file reads and no git process.
#[derive(Debug, Clone)]
pub struct WorktreeCache(Arc<WorktreeCacheInner>);

#[derive(Debug)]
struct WorktreeCacheInner {
    watcher: Option<WorktreeWatcher>,
    entries: Mutex<HashMap<PathBuf, Arc<CachedWorktree>>>,
}

impl WorktreeCache {
    /// An empty cache. Without a watcher nothing is cached, and each query runs git.
    pub fn new(watcher: Option<WorktreeWatcher>) -> Self {
        Self(Arc::new(WorktreeCacheInner { watcher, entries: Mutex::default() }))
    }

    /// Like [`Worktree::open`], from the cache if the entry is still valid.
    pub async fn worktree(
        &self,
        repo: &Repo,
        root: &WorkspaceRoot,
        name: &DirectoryName,
        branch: &BranchName,
    ) -> Result<Option<Worktree>, GitError> {
        let known =
            self.lock_entries().get(&root.directory(name)).map(|sight| sight.worktree().clone());
        if let Some(worktree) = known
            && worktree.branch() == branch
            && worktree.repo().common_dir() == repo.common_dir()
            && worktree.is_recorded()
        {
            return Ok(Some(worktree));
        }
        Worktree::open(repo, root, name, branch).await
    }

    /// Branch, commit, distance from the target's commit and counts of uncommitted changes.
    pub async fn summary(
        &self,
        worktree: &Worktree,
        target: &ObjectId,
    ) -> Result<WorktreeSummary, WorktreeVerifyError> {
        match self.entry(worktree).await {
            Some((sight, footprint)) => {
                let found = sight.summary(&footprint, target).await;
                self.start_watch(&sight, &footprint);
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
    ) -> Result<Arc<WorktreeComparison>, WorktreeVerifyError> {
        let (sight, footprint) = match self.entry(worktree).await {
            Some(found) => found,
            None => {
                let head = worktree.verify().await?.head;
                return Ok(self.diff_uncached(worktree, head, target, scope, limits).await?);
            }
        };
        let found = sight.compare(&footprint, target, scope, limits).await?;
        self.start_watch(&sight, &footprint);
        self.enforce_size_limit(&sight);
        Ok(found)
    }

    /// A number that increases whenever the worktree may have changed; `None` if it cannot be watched. The channel
    /// closes when the worktree is removed.
    pub async fn subscribe(&self, worktree: &Worktree) -> Option<watch::Receiver<u64>> {
        let watcher = self.0.watcher.as_ref()?;
        let (sight, _) = self.entry(worktree).await?;
        let watch = sight.watch(watcher).await?;
        watch.generation()?;
        Some(watch.subscribe())
    }

    async fn diff_uncached(
        &self,
        worktree: &Worktree,
        head: ObjectId,
        target: &ObjectId,
        scope: DiffScope,
        limits: DiffLimits,
    ) -> Result<Arc<WorktreeComparison>, GitError> {
        let base = match scope {
            DiffScope::Uncommitted => head.clone(),
            DiffScope::Branch | DiffScope::All => {
                let base = worktree.repo().merge_base(target, &head).await?;
                base.unwrap_or_else(|| target.clone())
            }
        };
        let diff = worktree.diff(&base, scope, limits).await?;
        Ok(Arc::new(WorktreeComparison { base, head, diff }))
    }

    /// The cache entry of a worktree that matches Forge's records; created if it is missing or outdated.
    async fn entry(
        &self,
        worktree: &Worktree,
    ) -> Option<(Arc<CachedWorktree>, WorktreeFingerprint)> {
        let footprint = load_fingerprint(worktree).await?;
        let sight = {
            let mut known = self.lock_entries();
            let current = known
                .get(worktree.path())
                .filter(|sight| sight.is_valid_for(worktree, &footprint, self.0.watcher.as_ref()));
            match current {
                Some(sight) => Arc::clone(sight),
                None => {
                    known.retain(|path: &PathBuf, _| Path::is_dir(path));
                    let sight = Arc::new(CachedWorktree::new(worktree, &footprint));
                    known.insert(worktree.path().to_owned(), Arc::clone(&sight));
                    sight
                }
            }
        };
        Some((sight, footprint))
    }

    /// Starts to watch a worktree after its first query. The first caller has its answer already; the next one finds
    /// it in the cache.
    fn start_watch(&self, sight: &Arc<CachedWorktree>, footprint: &WorktreeFingerprint) {
        let Some(watcher) = self.0.watcher.clone().filter(|_| sight.start_once()) else { return };
        let (sight, footprint) = (Arc::clone(sight), footprint.clone());
        tokio::spawn(async move {
            if sight.watch(&watcher).await.is_some() {
                sight.counts(&footprint).await.ok();
            }
        });
    }

    fn enforce_size_limit(&self, asked: &Arc<CachedWorktree>) {
        let known = self.lock_entries();
        if known.values().map(|sight| sight.diff_bytes()).sum::<usize>() > MAX_DIFF_BYTES {
            known
                .values()
                .filter(|sight| !Arc::ptr_eq(sight, asked))
                .for_each(|sight| sight.drop_diffs());
        }
    }

    fn lock_entries(&self) -> MutexGuard<'_, HashMap<PathBuf, Arc<CachedWorktree>>> {
        self.0.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads the fingerprint on a blocking thread, because the disk may be slow.
async fn load_fingerprint(worktree: &Worktree) -> Option<WorktreeFingerprint> {
    let worktree = worktree.clone();
    tokio::task::spawn_blocking(move || worktree.fingerprint()).await.ok().flatten()
}
