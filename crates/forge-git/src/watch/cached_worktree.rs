use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex as PlainMutex, PoisonError};

use tokio::sync::{Mutex, OnceCell};

use crate::command::git_error::GitError;
use crate::diff::diff_listing::DiffSpan;
use crate::diff::worktree_diff::{DiffLimits, DiffScope, GitDiff};
use crate::diff::worktree_summary::{StatusCounts, WorktreeSummary};
use crate::refs::object_id::ObjectId;
use crate::watch::watcher::{WatchedWorktree, WorktreeWatcher};
use crate::watch::worktree_fingerprint::WorktreeFingerprint;
use crate::worktree::worktree_handle::Worktree;

/// With more paths than this, Forge compares all files instead of listing the paths on a command line.
const MAX_PATHS: usize = 500;

/// The changes of a worktree, and the commits that were compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorktreeComparison {
    /// The commit that the changes are relative to.
    pub base: ObjectId,
    /// The last commit.
    pub head: ObjectId,
    pub diff: GitDiff,
}

/// A cached value for a pair of commits. It stays valid, because commits never change.
type CommitPairCache<T> = PlainMutex<Option<(ObjectId, ObjectId, T)>>;

/// One worktree and the cached answers about it.
#[derive(Debug)]
pub(crate) struct CachedWorktree {
    worktree: Worktree,
    directory: (u64, u64),
    is_started: AtomicBool,
    /// The watch, or the release count of the watcher when there was no room for one.
    watch: OnceCell<Result<WatchedWorktree, u64>>,
    counts: Mutex<Option<(WorktreeCacheKey, Arc<StatusCounts>)>>,
    diffs: [Mutex<Option<CachedDiff>>; 3],
    diff_bytes: AtomicUsize,
    distance: CommitPairCache<(u64, u64)>,
    fork: CommitPairCache<ObjectId>,
}

/// The state of a worktree for which an answer is valid.
#[derive(Debug, Clone, PartialEq, Eq)]
struct WorktreeCacheKey {
    generation: u64,
    fingerprint: WorktreeFingerprint,
}

#[derive(Debug)]
struct CachedDiff {
    key: Option<WorktreeCacheKey>,
    span: DiffSpan,
    limits: DiffLimits,
    comparison: Arc<WorktreeComparison>,
}

impl CachedWorktree {
    pub(crate) fn new(worktree: &Worktree, footprint: &WorktreeFingerprint) -> Self {
        Self {
            worktree: worktree.clone(),
            directory: footprint.directory,
            is_started: AtomicBool::new(false),
            watch: OnceCell::new(),
            counts: Mutex::default(),
            diffs: std::array::from_fn(|_| Mutex::default()),
            diff_bytes: AtomicUsize::new(0),
            distance: PlainMutex::default(),
            fork: PlainMutex::default(),
        }
    }

    pub(crate) fn worktree(&self) -> &Worktree {
        &self.worktree
    }

    /// Whether the entry is still for this worktree, and would not get a better watch if it were created again.
    pub(crate) fn is_valid_for(
        &self,
        worktree: &Worktree,
        footprint: &WorktreeFingerprint,
        watcher: Option<&WorktreeWatcher>,
    ) -> bool {
        let better = match (self.watch.get(), watcher) {
            (Some(Err(then)), Some(watcher)) => *then != watcher.release_count(),
            (Some(Ok(watch)), _) => watch.generation().is_none(),
            _ => false,
        };
        !better
            && self.directory == footprint.directory
            && self.worktree.git_dir() == worktree.git_dir()
            && self.worktree.branch() == worktree.branch()
    }

    /// Whether this is the first call.
    pub(crate) fn start_once(&self) -> bool {
        !self.is_started.swap(true, Ordering::Relaxed)
    }

    /// Watches the worktree; concurrent callers wait for the same watch.
    pub(crate) async fn watch(&self, watcher: &WorktreeWatcher) -> Option<&WatchedWorktree> {
        self.is_started.store(true, Ordering::Relaxed);
        let watching = self.watch.get_or_init(async || {
            watcher.watch(&self.worktree).await.map_err(|reason| {
                let path = self.worktree.path().display();
                tracing::info!(%path, %reason, "could not watch worktree, git runs for every query");
                watcher.release_count()
            })
        });
        watching.await.as_ref().ok()
    }

    pub(crate) async fn summary(
        &self,
        footprint: &WorktreeFingerprint,
        target: &ObjectId,
    ) -> Result<WorktreeSummary, GitError> {
        let mut summary = self.counts(footprint).await?.summary.clone();
        if let Some(head) = summary.head.clone() {
            (summary.ahead, summary.behind) = self.distance(&head, target).await?;
        }
        Ok(summary)
    }

    /// The counts of uncommitted changes. One caller runs git at a time; callers that waited share its answer.
    pub(crate) async fn counts(
        &self,
        footprint: &WorktreeFingerprint,
    ) -> Result<Arc<StatusCounts>, GitError> {
        let mut kept = self.counts.lock().await;
        if let Some((mark, counts)) = kept.as_ref()
            && self.current_key(footprint).as_ref() == Some(mark)
        {
            return Ok(Arc::clone(counts));
        }
        let now = self.settled_key(footprint).await;
        let paths = kept
            .as_ref()
            .zip(now.as_ref())
            .and_then(|((then, counts), now)| self.paths_since(then, now, || counts.paths.clone()));
        let counts = Arc::new(self.worktree.load_counts(paths.as_deref()).await?);
        *kept = now.map(|mark| (mark, Arc::clone(&counts)));
        Ok(counts)
    }

    pub(crate) async fn compare(
        &self,
        footprint: &WorktreeFingerprint,
        target: &ObjectId,
        scope: DiffScope,
        limits: DiffLimits,
    ) -> Result<Arc<WorktreeComparison>, GitError> {
        let head = footprint.head.clone();
        let (base, span, slot) = match scope {
            DiffScope::Uncommitted => (head.clone(), DiffSpan::Files(head.clone()), &self.diffs[0]),
            DiffScope::Branch => {
                let base = self.merge_base(&head, target).await?;
                (base.clone(), DiffSpan::Commits(base, head.clone()), &self.diffs[1])
            }
            DiffScope::All => {
                let base = self.merge_base(&head, target).await?;
                (base.clone(), DiffSpan::Files(base), &self.diffs[2])
            }
        };
        let mut kept = slot.lock().await;
        let same = kept.as_ref().filter(|kept| kept.span == span && kept.limits == limits);
        // A diff between two commits never changes.
        let settled = matches!(span, DiffSpan::Commits(..));
        if let Some(kept) = same
            && (settled || kept.key.is_some() && kept.key == self.current_key(footprint))
        {
            return Ok(Arc::clone(&kept.comparison));
        }
        let now = if settled { None } else { self.settled_key(footprint).await };
        let paths = same.zip(now.as_ref()).and_then(|(kept, now)| {
            let diff = &kept.comparison.diff;
            let then = kept.key.as_ref().filter(|_| !diff.truncated)?;
            self.paths_since(then, now, || {
                diff.files.iter().flat_map(|file| file.raw_paths()).collect()
            })
        });
        let diff = self.worktree.diff_span(&span, limits, paths.as_deref()).await?;
        let bytes: usize =
            diff.files.iter().filter_map(|file| file.patch.as_ref()).map(String::len).sum();
        let found = Arc::new(WorktreeComparison { base, head, diff });
        let before = kept.as_ref().map_or(0, |kept| kept.bytes());
        self.diff_bytes.fetch_sub(before, Ordering::Relaxed);
        self.diff_bytes.fetch_add(bytes, Ordering::Relaxed);
        *kept = Some(CachedDiff { key: now, span, limits, comparison: Arc::clone(&found) });
        Ok(found)
    }

    /// The size of all cached patches.
    pub(crate) fn diff_bytes(&self) -> usize {
        self.diff_bytes.load(Ordering::Relaxed)
    }

    /// Drops cached diffs that no caller is computing.
    pub(crate) fn drop_diffs(&self) {
        for slot in &self.diffs {
            if let Ok(mut kept) = slot.try_lock()
                && let Some(kept) = kept.take()
            {
                self.diff_bytes.fetch_sub(kept.bytes(), Ordering::Relaxed);
            }
        }
    }

    fn current_key(&self, footprint: &WorktreeFingerprint) -> Option<WorktreeCacheKey> {
        let watch = self.watch.get()?.as_ref().ok()?;
        Some(WorktreeCacheKey { generation: watch.generation()?, fingerprint: footprint.clone() })
    }

    /// The current key, after all new directories are watched. An answer can be cached only under such a key.
    async fn settled_key(&self, footprint: &WorktreeFingerprint) -> Option<WorktreeCacheKey> {
        let watch = self.watch.get()?.as_ref().ok()?;
        if let Err(reason) = watch.watch_new_directories(&self.worktree).await {
            let path = self.worktree.path().display();
            tracing::info!(%path, %reason, "stopped watching worktree");
        }
        self.current_key(footprint)
    }

    /// All paths that can differ, if only regular files were written between two states; otherwise `None`.
    fn paths_since(
        &self,
        then: &WorktreeCacheKey,
        now: &WorktreeCacheKey,
        known: impl FnOnce() -> Vec<Vec<u8>>,
    ) -> Option<Vec<Vec<u8>>> {
        if then.fingerprint != now.fingerprint {
            return None;
        }
        let mut paths = self.watch.get()?.as_ref().ok()?.files_written_since(then.generation)?;
        paths.extend(known());
        paths.sort();
        paths.dedup();
        (1..=MAX_PATHS).contains(&paths.len()).then_some(paths)
    }

    async fn distance(&self, head: &ObjectId, target: &ObjectId) -> Result<(u64, u64), GitError> {
        let kept = self.distance.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((from, to, distance)) = kept
            && (&from, &to) == (head, target)
        {
            return Ok(distance);
        }
        let found = self.worktree.count_ahead_behind(head, target).await?;
        let mut kept = self.distance.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = Some((head.clone(), target.clone(), found));
        Ok(found)
    }

    /// The merge base of the branch and its target. Unrelated histories are compared as a whole.
    async fn merge_base(&self, head: &ObjectId, target: &ObjectId) -> Result<ObjectId, GitError> {
        if head == target {
            return Ok(target.clone());
        }
        let kept = self.fork.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((from, to, base)) = kept
            && (&from, &to) == (head, target)
        {
            return Ok(base);
        }
        let base = self.worktree.repo().merge_base(target, head).await?;
        let base = base.unwrap_or_else(|| target.clone());
        let mut kept = self.fork.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = Some((head.clone(), target.clone(), base.clone()));
        Ok(base)
    }
}

impl CachedDiff {
    fn bytes(&self) -> usize {
        let patches = self.comparison.diff.files.iter().filter_map(|file| file.patch.as_ref());
        patches.map(String::len).sum()
    }
}
