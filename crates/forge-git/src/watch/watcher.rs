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

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::watch::watch_state::{WatchState, WatchTarget, WatchedTreeId};
use crate::watch::watch_walk::walk_directories;
use crate::worktree::worktree_handle::Worktree;

/// The file with the kernel's limit of watched directories.
const KERNEL_LIMIT_FILE: &str = "/proc/sys/fs/inotify/max_user_watches";
const DEFAULT_WATCH_LIMIT: usize = 8192;
/// The buffer size of one read of events.
const EVENT_BUFFER_BYTES: usize = 64 * 1024;

/// Reports changes in worktrees as the kernel sees them. It does not poll, so an unchanged worktree costs nothing.
/// Writes through a memory mapping whose file was closed, or through a hard link outside the worktree, are not
/// reported.
#[derive(Debug, Clone)]
pub struct WorktreeWatcher(Arc<WatcherShared>);

#[derive(Debug)]
struct WatcherShared {
    kernel: OwnedFd,
    state: Mutex<WatchState>,
    ceiling: usize,
    /// The listening thread ends when this pipe closes.
    _alive: PipeWriter,
}

/// Why a worktree is not watched. Its state then has to be queried with git.
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// There are more directories than may be watched.
    #[error("more directories than the {0} that may be watched")]
    TooManyDirectories(usize),
    /// The worktree contains a nested repository, whose state is elsewhere.
    #[error("{} is a repository of its own", .0.display())]
    NestedRepository(PathBuf),
    /// The directory is too deep, is gone, or was replaced.
    #[error("{} cannot be watched: {problem}", path.display())]
    Unreachable {
        path: PathBuf,
        /// Why it cannot be watched.
        problem: String,
    },
    /// Git could not list the ignored directories.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// A watched worktree, until dropped.
#[derive(Debug)]
pub struct WatchedWorktree {
    shared: Arc<WatcherShared>,
    id: WatchedTreeId,
    changes: tokio::sync::watch::Receiver<u64>,
}

impl WorktreeWatcher {
    /// Starts the watcher with at most half of the watches that the kernel grants, because editors need some too.
    pub fn start() -> std::io::Result<Self> {
        let limit = std::fs::read_to_string(KERNEL_LIMIT_FILE).ok();
        let limit = limit.and_then(|text| text.trim().parse().ok()).unwrap_or(DEFAULT_WATCH_LIMIT);
        Self::with_ceiling(limit / 2)
    }

    /// Starts the watcher with at most this many directories.
    pub fn with_ceiling(ceiling: usize) -> std::io::Result<Self> {
        let flags = inotify::CreateFlags::NONBLOCK | inotify::CreateFlags::CLOEXEC;
        let kernel = inotify::init(flags)?;
        let events = kernel.try_clone()?;
        let (stop, alive) = std::io::pipe()?;
        let shared = WatcherShared { kernel, state: Mutex::default(), ceiling, _alive: alive };
        let shared = Arc::new(shared);
        let listened = Arc::downgrade(&shared);
        std::thread::Builder::new()
            .name("forge-watch".to_owned())
            .spawn(move || process_events_forever(&events, &stop, &listened))?;
        Ok(Self(shared))
    }

    /// Watches a worktree and its git directory. Ignored directories are excluded.
    pub async fn watch(&self, worktree: &Worktree) -> Result<WatchedWorktree, WatchError> {
        let (id, changes) = self.0.state().add_tree();
        // From here on, dropping it removes the watches that were added so far.
        let tree = WatchedWorktree { shared: Arc::clone(&self.0), id, changes };
        self.0.add_watch(tree.id, worktree.git_dir(), WatchTarget::GitDirectory)?;
        tree.watch_new_directories(worktree).await?;
        self.0.state().set_fully_watched(tree.id);
        Ok(tree)
    }

    /// How often watches were released. After a release, a worktree that did not fit before may fit.
    pub(crate) fn release_count(&self) -> u64 {
        self.0.state().release_count()
    }

    /// How many directories are watched.
    pub fn watched_count(&self) -> usize {
        self.0.state().watched_count()
    }

    /// Simulates the kernel dropping events.
    #[doc(hidden)]
    pub fn overflow(&self) {
        let mut state = self.0.state();
        let gone = state.overflow();
        self.0.remove_watches(&state, gone);
    }
}

impl WatchedWorktree {
    /// A number that increases whenever anything may have changed; `None` if the worktree is no longer watched.
    /// Includes writes before the call.
    pub fn generation(&self) -> Option<u64> {
        self.shared.process_events();
        self.shared.state().generation(self.id)
    }

    /// The regular files that were written since a generation; `None` if other changes happened.
    pub(crate) fn files_written_since(&self, generation: u64) -> Option<Vec<Vec<u8>>> {
        self.shared.state().files_written_since(self.id, generation)
    }

    /// A channel with the generation. It closes when the worktree is no longer watched.
    pub fn subscribe(&self) -> tokio::sync::watch::Receiver<u64> {
        self.changes.clone()
    }

    /// Watches new directories. Call this before git runs, so that no change can happen in a directory that git has
    /// read and that is not watched.
    pub(crate) async fn watch_new_directories(
        &self,
        worktree: &Worktree,
    ) -> Result<(), WatchError> {
        self.shared.process_events();
        let fresh = self.shared.state().take_new_directories(self.id);
        if fresh.is_empty() {
            return Ok(());
        }
        let settled = self.add_directories(worktree, fresh).await;
        if settled.is_err() {
            self.shared.stop_watching(self.id);
        }
        settled
    }

    async fn add_directories(
        &self,
        worktree: &Worktree,
        fresh: Vec<PathBuf>,
    ) -> Result<(), WatchError> {
        let ignored = worktree.load_ignored_directories(&fresh).await?;
        let ground = worktree.open_directory().map_err(GitError::from)?;
        let (shared, id) = (Arc::clone(&self.shared), self.id);
        let walking = tokio::task::spawn_blocking(move || {
            let mut enter = |directory: &Path, handle: &Path| {
                shared.add_watch(id, handle, WatchTarget::Directory(directory.to_owned()))
            };
            fresh
                .iter()
                .try_for_each(|start| walk_directories(&ground, start, &ignored, &mut enter))
        });
        walking.await.map_err(|error| WatchError::Unreachable {
            path: worktree.path().to_owned(),
            problem: error.to_string(),
        })?
    }
}

impl Drop for WatchedWorktree {
    fn drop(&mut self) {
        self.shared.stop_watching(self.id);
        self.shared.state().remove_tree(self.id);
    }
}

impl WatcherShared {
    fn state(&self) -> MutexGuard<'_, WatchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Watches a directory. The state stays locked meanwhile, because an event of a watch that is not entered yet
    /// would be lost.
    fn add_watch(
        &self,
        id: WatchedTreeId,
        path: &Path,
        place: WatchTarget,
    ) -> Result<(), WatchError> {
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
        if state.watched_count() >= self.ceiling {
            return Err(WatchError::TooManyDirectories(self.ceiling));
        }
        match inotify::add_watch(&self.kernel, path, flags) {
            Ok(watch) => {
                let gone = state.add_watch(watch, id, place);
                self.remove_watches(&state, gone);
                Ok(())
            }
            Err(Errno::NOSPC) => Err(WatchError::TooManyDirectories(state.watched_count())),
            // The parent directory reports a directory that vanished meanwhile.
            Err(Errno::NOENT) if matches!(place, WatchTarget::Directory(_)) => Ok(()),
            Err(error) => Err(WatchError::Unreachable {
                path: path.to_owned(),
                problem: std::io::Error::from(error).to_string(),
            }),
        }
    }

    /// Processes the events that the kernel has reported so far.
    fn process_events(&self) {
        let mut buffer = vec![MaybeUninit::<u8>::uninit(); EVENT_BUFFER_BYTES];
        let mut state = self.state();
        let mut reader = inotify::Reader::new(&self.kernel, &mut buffer);
        let mut gone = Vec::new();
        loop {
            match reader.next() {
                Ok(event) => {
                    let name = event.file_name().map(|name| name.to_bytes());
                    gone.extend(state.apply_event(event.wd(), event.events(), name));
                }
                Err(Errno::INTR) => {}
                Err(_) => break,
            }
        }
        self.remove_watches(&state, gone);
    }

    /// Removes watches from the kernel. The state stays locked meanwhile, because a worktree that is entered in
    /// between would get the same watch of its directories, and lose it here.
    fn remove_watches(&self, _locked: &MutexGuard<'_, WatchState>, watches: Vec<i32>) {
        for watch in watches {
            // The kernel has removed the watch itself if the directory is gone.
            inotify::remove_watch(&self.kernel, watch).ok();
        }
    }

    fn stop_watching(&self, id: WatchedTreeId) {
        let mut state = self.state();
        let gone = state.stop_watching(id);
        self.remove_watches(&state, gone);
    }
}

/// Processes events as they arrive, so that the kernel's queue stays short and subscribers are woken.
fn process_events_forever(events: &OwnedFd, stop: &PipeReader, shared: &Weak<WatcherShared>) {
    loop {
        let mut ready = [PollFd::new(events, PollFlags::IN), PollFd::new(stop, PollFlags::IN)];
        match poll(&mut ready, None) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => {
                tracing::error!(%error, "stopped listening for worktree changes");
                return;
            }
        }
        match shared.upgrade() {
            Some(shared) => shared.process_events(),
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
        let output = GitCommand::read_worktree(self, "ls-files")
            .args(["--others", "--ignored", "--exclude-standard", "--directory", "-z", "--"])
            .args(paths)
            .run()
            .await?;
        let names = output.split(|byte| *byte == 0).filter_map(|name| name.strip_suffix(b"/"));
        Ok(names.map(|name| PathBuf::from(std::ffi::OsStr::from_bytes(name))).collect())
    }
}
