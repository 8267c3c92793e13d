use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex as PlainMutex, PoisonError};

use tokio::sync::{Mutex, OnceCell};

use crate::diff::{Diff, DiffLimits, DiffScope};
use crate::diff_listing::Span;
use crate::error::GitError;
use crate::footprint::Footprint;
use crate::object_id::ObjectId;
use crate::summary::{Counts, Summary};
use crate::watch::{WatchedTree, Watcher};
use crate::worktree::Worktree;

/// More paths than this are not worth a list on a command line.
const MOST_PATHS: usize = 500;

/// The changes of a worktree, and between which commits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The commit they are counted from.
    pub base: ObjectId,
    /// The last commit.
    pub head: ObjectId,
    /// The changes.
    pub diff: Diff,
}

/// What lies between the last commit and the target's, which nothing can change.
type Between<T> = PlainMutex<Option<(ObjectId, ObjectId, T)>>;

/// One worktree, and what was found out of it.
#[derive(Debug)]
pub(crate) struct Sight {
    worktree: Worktree,
    directory: (u64, u64),
    begun: AtomicBool,
    /// The watch, or how often watches had been given back when there was no room for it.
    watch: OnceCell<Result<WatchedTree, u64>>,
    counts: Mutex<Option<(Mark, Arc<Counts>)>>,
    diffs: [Mutex<Option<KeptDiff>>; 3],
    diff_bytes: AtomicUsize,
    distance: Between<(u64, u64)>,
    fork: Between<ObjectId>,
}

/// A state of a worktree.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mark {
    generation: u64,
    footprint: Footprint,
}

#[derive(Debug)]
struct KeptDiff {
    mark: Option<Mark>,
    span: Span,
    limits: DiffLimits,
    found: Arc<Comparison>,
}

impl Sight {
    pub(crate) fn new(worktree: &Worktree, footprint: &Footprint) -> Self {
        Self {
            worktree: worktree.clone(),
            directory: footprint.directory,
            begun: AtomicBool::new(false),
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

    /// Whether it is still of this worktree, and could not be better off with a new watch.
    pub(crate) fn is_of(
        &self,
        worktree: &Worktree,
        footprint: &Footprint,
        watcher: Option<&Watcher>,
    ) -> bool {
        let better = match (self.watch.get(), watcher) {
            (Some(Err(then)), Some(watcher)) => *then != watcher.releases(),
            (Some(Ok(watch)), _) => watch.generation().is_none(),
            _ => false,
        };
        !better
            && self.directory == footprint.directory
            && self.worktree.git_dir() == worktree.git_dir()
            && self.worktree.branch() == worktree.branch()
    }

    /// True for the first who asks.
    pub(crate) fn begins(&self) -> bool {
        !self.begun.swap(true, Ordering::Relaxed)
    }

    /// Watches the worktree; whoever comes second waits for it.
    pub(crate) async fn watch(&self, watcher: &Watcher) -> Option<&WatchedTree> {
        self.begun.store(true, Ordering::Relaxed);
        let watching = self.watch.get_or_init(async || {
            watcher.watch(&self.worktree).await.map_err(|reason| {
                let path = self.worktree.path().display();
                tracing::info!(%path, %reason, "the worktree is not watched; git is asked each time");
                watcher.releases()
            })
        });
        watching.await.as_ref().ok()
    }

    pub(crate) async fn summary(
        &self,
        footprint: &Footprint,
        target: &ObjectId,
    ) -> Result<Summary, GitError> {
        let mut summary = self.counts(footprint).await?.summary.clone();
        if let Some(head) = summary.head.clone() {
            (summary.ahead, summary.behind) = self.distance(&head, target).await?;
        }
        Ok(summary)
    }

    /// What is not committed. One asks git at a time; who waited for the answer takes it.
    pub(crate) async fn counts(&self, footprint: &Footprint) -> Result<Arc<Counts>, GitError> {
        let mut kept = self.counts.lock().await;
        if let Some((mark, counts)) = kept.as_ref()
            && self.mark(footprint).as_ref() == Some(mark)
        {
            return Ok(Arc::clone(counts));
        }
        let now = self.settled(footprint).await;
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
        footprint: &Footprint,
        target: &ObjectId,
        scope: DiffScope,
        limits: DiffLimits,
    ) -> Result<Arc<Comparison>, GitError> {
        let head = footprint.head.clone();
        let (base, span, slot) = match scope {
            DiffScope::Uncommitted => (head.clone(), Span::Files(head.clone()), &self.diffs[0]),
            DiffScope::Branch => {
                let base = self.fork(&head, target).await?;
                (base.clone(), Span::Commits(base, head.clone()), &self.diffs[1])
            }
            DiffScope::All => {
                let base = self.fork(&head, target).await?;
                (base.clone(), Span::Files(base), &self.diffs[2])
            }
        };
        let mut kept = slot.lock().await;
        let same = kept.as_ref().filter(|kept| kept.span == span && kept.limits == limits);
        // Between two commits nothing can change.
        let settled = matches!(span, Span::Commits(..));
        if let Some(kept) = same
            && (settled || kept.mark.is_some() && kept.mark == self.mark(footprint))
        {
            return Ok(Arc::clone(&kept.found));
        }
        let now = if settled { None } else { self.settled(footprint).await };
        let paths = same.zip(now.as_ref()).and_then(|(kept, now)| {
            let diff = &kept.found.diff;
            let then = kept.mark.as_ref().filter(|_| !diff.truncated)?;
            self.paths_since(then, now, || {
                diff.files.iter().flat_map(|file| file.raw_paths()).collect()
            })
        });
        let diff = self.worktree.compare(&span, limits, paths.as_deref()).await?;
        let bytes: usize =
            diff.files.iter().filter_map(|file| file.patch.as_ref()).map(String::len).sum();
        let found = Arc::new(Comparison { base, head, diff });
        let before = kept.as_ref().map_or(0, |kept| kept.bytes());
        self.diff_bytes.fetch_sub(before, Ordering::Relaxed);
        self.diff_bytes.fetch_add(bytes, Ordering::Relaxed);
        *kept = Some(KeptDiff { mark: now, span, limits, found: Arc::clone(&found) });
        Ok(found)
    }

    /// How much is kept of diffs.
    pub(crate) fn diff_bytes(&self) -> usize {
        self.diff_bytes.load(Ordering::Relaxed)
    }

    /// Lets go of diffs that nobody asks for at this moment.
    pub(crate) fn drop_diffs(&self) {
        for slot in &self.diffs {
            if let Ok(mut kept) = slot.try_lock()
                && let Some(kept) = kept.take()
            {
                self.diff_bytes.fetch_sub(kept.bytes(), Ordering::Relaxed);
            }
        }
    }

    fn mark(&self, footprint: &Footprint) -> Option<Mark> {
        let watch = self.watch.get()?.as_ref().ok()?;
        Some(Mark { generation: watch.generation()?, footprint: footprint.clone() })
    }

    /// The same once every directory is watched, which is what an answer can be kept under.
    async fn settled(&self, footprint: &Footprint) -> Option<Mark> {
        let watch = self.watch.get()?.as_ref().ok()?;
        if let Err(reason) = watch.settle(&self.worktree).await {
            let path = self.worktree.path().display();
            tracing::info!(%path, %reason, "the worktree is not watched any more");
        }
        self.mark(footprint)
    }

    /// All paths that can differ, if only plain files were written between two states.
    fn paths_since(
        &self,
        then: &Mark,
        now: &Mark,
        known: impl FnOnce() -> Vec<Vec<u8>>,
    ) -> Option<Vec<Vec<u8>>> {
        if then.footprint != now.footprint {
            return None;
        }
        let mut paths = self.watch.get()?.as_ref().ok()?.touched_since(then.generation)?;
        paths.extend(known());
        paths.sort();
        paths.dedup();
        (1..=MOST_PATHS).contains(&paths.len()).then_some(paths)
    }

    async fn distance(&self, head: &ObjectId, target: &ObjectId) -> Result<(u64, u64), GitError> {
        let kept = self.distance.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((from, to, distance)) = kept
            && (&from, &to) == (head, target)
        {
            return Ok(distance);
        }
        let found = self.worktree.load_distance(head, target).await?;
        let mut kept = self.distance.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = Some((head.clone(), target.clone(), found));
        Ok(found)
    }

    /// Where the branch left its target. Histories that share nothing are compared as a whole.
    async fn fork(&self, head: &ObjectId, target: &ObjectId) -> Result<ObjectId, GitError> {
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

impl KeptDiff {
    fn bytes(&self) -> usize {
        let patches = self.found.diff.files.iter().filter_map(|file| file.patch.as_ref());
        patches.map(String::len).sum()
    }
}
