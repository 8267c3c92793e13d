use std::collections::HashSet;
use std::io::{PipeReader, PipeWriter};
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::inotify;
use rustix::io::Errno;

use crate::command::Command;
use crate::error::GitError;
use crate::watch_state::{Place, State, TreeId};
use crate::watch_walk::walk;
use crate::worktree::Worktree;

/// Where the kernel says how many directories may be watched.
const KERNEL_LIMIT: &str = "/proc/sys/fs/inotify/max_user_watches";
const USUAL_LIMIT: usize = 8192;
/// One read of events.
const BUFFER: usize = 64 * 1024;

/// Notices changes in worktrees as the kernel reports them. It asks nothing by itself: what nobody touches costs
/// nothing. Writes through a mapping that outlives its file's handle, or by a hard link from outside, are not reported.
#[derive(Debug, Clone)]
pub struct Watcher(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    kernel: OwnedFd,
    state: Mutex<State>,
    ceiling: usize,
    /// The listening thread ends when this is closed.
    _alive: PipeWriter,
}

/// Why a worktree is not watched; whoever asks about it asks git.
#[derive(Debug, thiserror::Error)]
pub enum Unwatched {
    /// There are more directories than may be watched.
    #[error("more directories than the {0} that may be watched")]
    Ceiling(usize),
    /// It holds a repository of its own, whose state is elsewhere.
    #[error("{} is a repository of its own", .0.display())]
    Nested(PathBuf),
    /// It is too deep, is gone, or was replaced.
    #[error("{} cannot be watched: {problem}", path.display())]
    Unreachable {
        /// Where.
        path: PathBuf,
        /// What is the matter.
        problem: String,
    },
    /// Git could not say what is ignored.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// A worktree that is watched, until dropped.
#[derive(Debug)]
pub struct WatchedTree {
    shared: Arc<Shared>,
    id: TreeId,
    changes: tokio::sync::watch::Receiver<u64>,
}

impl Watcher {
    /// Begins to listen, with at most half of the watches that the kernel grants: editors need some too.
    pub fn start() -> std::io::Result<Self> {
        let limit = std::fs::read_to_string(KERNEL_LIMIT).ok();
        let limit = limit.and_then(|text| text.trim().parse().ok()).unwrap_or(USUAL_LIMIT);
        Self::with_ceiling(limit / 2)
    }

    /// The same with at most so many directories.
    pub fn with_ceiling(ceiling: usize) -> std::io::Result<Self> {
        let flags = inotify::CreateFlags::NONBLOCK | inotify::CreateFlags::CLOEXEC;
        let kernel = inotify::init(flags)?;
        let events = kernel.try_clone()?;
        let (stop, alive) = std::io::pipe()?;
        let shared = Shared { kernel, state: Mutex::default(), ceiling, _alive: alive };
        let shared = Arc::new(shared);
        let listened = Arc::downgrade(&shared);
        std::thread::Builder::new()
            .name("forge-watch".to_owned())
            .spawn(move || listen(&events, &stop, &listened))?;
        Ok(Self(shared))
    }

    /// Watches a worktree and its git directory. Ignored directories are left out.
    pub async fn watch(&self, worktree: &Worktree) -> Result<WatchedTree, Unwatched> {
        let (id, changes) = self.0.state().add_tree();
        // From here on, dropping it takes back whatever was watched so far.
        let tree = WatchedTree { shared: Arc::clone(&self.0), id, changes };
        self.0.add(tree.id, worktree.git_dir(), Place::GitDirectory)?;
        tree.settle(worktree).await?;
        self.0.state().set_live(tree.id);
        Ok(tree)
    }

    /// How often watches were given back: what did not fit may fit now.
    pub fn releases(&self) -> u64 {
        self.0.state().releases()
    }

    /// How many directories are watched.
    pub fn watched(&self) -> usize {
        self.0.state().watched()
    }

    /// Does what the kernel does when it has dropped events.
    #[doc(hidden)]
    pub fn overflow(&self) {
        let gone = self.0.state().overflow();
        self.0.remove(gone);
    }
}

impl WatchedTree {
    /// A number that has moved whenever anything may have changed; `None` when the worktree is not watched any more.
    /// What was written before the call is counted.
    pub fn generation(&self) -> Option<u64> {
        self.shared.drain();
        self.shared.state().generation(self.id)
    }

    /// The plain files that were written since a generation; `None` when more than that happened.
    pub(crate) fn touched_since(&self, generation: u64) -> Option<Vec<Vec<u8>>> {
        self.shared.state().touched_since(self.id, generation)
    }

    /// Moves with the generation; closed when the worktree is not watched any more.
    pub fn changes(&self) -> tokio::sync::watch::Receiver<u64> {
        self.changes.clone()
    }

    /// Watches the directories that have appeared. To be called before git is asked, so that nothing can change in a
    /// place that git has seen and we do not see.
    pub(crate) async fn settle(&self, worktree: &Worktree) -> Result<(), Unwatched> {
        self.shared.drain();
        let fresh = self.shared.state().take_fresh(self.id);
        if fresh.is_empty() {
            return Ok(());
        }
        let settled = self.add_directories(worktree, fresh).await;
        if settled.is_err() {
            self.shared.lose(self.id);
        }
        settled
    }

    async fn add_directories(
        &self,
        worktree: &Worktree,
        fresh: Vec<PathBuf>,
    ) -> Result<(), Unwatched> {
        let ignored = worktree.load_ignored_directories(&fresh).await?;
        let ground = worktree.ground().map_err(GitError::from)?;
        let (shared, id) = (Arc::clone(&self.shared), self.id);
        let walking = tokio::task::spawn_blocking(move || {
            let mut enter = |directory: &Path, handle: &Path| {
                shared.add(id, handle, Place::Directory(directory.to_owned()))
            };
            fresh.iter().try_for_each(|start| walk(&ground, start, &ignored, &mut enter))
        });
        walking.await.map_err(|error| Unwatched::Unreachable {
            path: worktree.path().to_owned(),
            problem: error.to_string(),
        })?
    }
}

impl Drop for WatchedTree {
    fn drop(&mut self) {
        self.shared.lose(self.id);
        self.shared.state().forget(self.id);
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Watches a directory. The state is locked meanwhile: an event of a watch that is not entered yet would be lost.
    fn add(&self, id: TreeId, path: &Path, place: Place) -> Result<(), Unwatched> {
        use inotify::WatchFlags as Flags;
        let flags = Flags::MODIFY
            | Flags::ATTRIB
            | Flags::CLOSE_WRITE
            | Flags::MOVED_FROM
            | Flags::MOVED_TO
            | Flags::CREATE
            | Flags::DELETE
            | Flags::DELETE_SELF
            | Flags::MOVE_SELF
            | Flags::ONLYDIR
            | Flags::EXCL_UNLINK;
        let mut state = self.state();
        if state.watched() >= self.ceiling {
            return Err(Unwatched::Ceiling(self.ceiling));
        }
        match inotify::add_watch(&self.kernel, path, flags) {
            Ok(watch) => {
                state.enter(watch, id, place);
                Ok(())
            }
            Err(Errno::NOSPC) => Err(Unwatched::Ceiling(state.watched())),
            // What vanished meanwhile is reported by the directory it was in.
            Err(Errno::NOENT) if matches!(place, Place::Directory(_)) => Ok(()),
            Err(error) => Err(Unwatched::Unreachable {
                path: path.to_owned(),
                problem: std::io::Error::from(error).to_string(),
            }),
        }
    }

    /// Takes in what the kernel has reported so far.
    fn drain(&self) {
        let mut buffer = vec![MaybeUninit::<u8>::uninit(); BUFFER];
        let mut state = self.state();
        let mut reader = inotify::Reader::new(&self.kernel, &mut buffer);
        let mut gone = Vec::new();
        loop {
            match reader.next() {
                Ok(event) => {
                    let name = event.file_name().map(|name| name.to_bytes());
                    gone.extend(state.take_in(event.wd(), event.events(), name));
                }
                Err(Errno::INTR) => {}
                Err(_) => break,
            }
        }
        drop(state);
        self.remove(gone);
    }

    fn remove(&self, watches: Vec<i32>) {
        for watch in watches {
            // The kernel took it back itself where the directory is gone.
            inotify::remove_watch(&self.kernel, watch).ok();
        }
    }

    fn lose(&self, id: TreeId) {
        let gone = self.state().lose(id);
        self.remove(gone);
    }
}

/// Takes events in as they come, so that the kernel's queue stays short and whoever follows a worktree is woken.
fn listen(events: &OwnedFd, stop: &PipeReader, shared: &Weak<Shared>) {
    loop {
        let mut ready = [PollFd::new(events, PollFlags::IN), PollFd::new(stop, PollFlags::IN)];
        match poll(&mut ready, None) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => {
                tracing::error!(%error, "changes of worktrees are not listened to any more");
                return;
            }
        }
        match shared.upgrade() {
            Some(shared) => shared.drain(),
            None => return,
        }
    }
}

impl Worktree {
    /// The ignored directories among and below these, from the top level.
    async fn load_ignored_directories(
        &self,
        below: &[PathBuf],
    ) -> Result<HashSet<PathBuf>, GitError> {
        let whole = below.iter().any(|path| path.as_os_str().is_empty());
        let paths = below.iter().filter(|_| !whole).map(|path| path.as_os_str().to_owned());
        let output = Command::read_worktree(self, "ls-files")
            .args(["--others", "--ignored", "--exclude-standard", "--directory", "-z", "--"])
            .args(paths)
            .run()
            .await?;
        let names = output.split(|byte| *byte == 0).filter_map(|name| name.strip_suffix(b"/"));
        Ok(names.map(|name| PathBuf::from(std::ffi::OsStr::from_bytes(name))).collect())
    }
}
