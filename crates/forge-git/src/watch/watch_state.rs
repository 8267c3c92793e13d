use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::inotify::ReadFlags;
use tokio::sync::watch;

use crate::worktree::workspace_lock::LOCK_FILE;

/// With more written files than this, all files count as changed.
const MAX_WRITTEN_FILES: usize = 500;

/// With more new directories than this, the whole worktree is searched for them.
const MAX_NEW_DIRECTORIES: usize = 500;

/// Files that change what git reports about other files.
const RULE_FILES: [&[u8]; 3] = [b".gitignore", b".gitattributes", b".gitmodules"];

/// The id of a watched worktree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct WatchedTreeId(u64);

/// The target of a watch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WatchTarget {
    /// A directory of the worktree, relative to its top level.
    Directory(PathBuf),
    /// The worktree's git directory, with its HEAD and index.
    GitDirectory,
}

/// All watched directories and worktrees.
#[derive(Debug, Default)]
pub(crate) struct WatchState {
    watches: HashMap<i32, (WatchedTreeId, WatchTarget)>,
    trees: HashMap<WatchedTreeId, TreeWatch>,
    next: u64,
    releases: u64,
}

#[derive(Debug)]
struct TreeWatch {
    generation: u64,
    /// Whether the whole worktree was watched once.
    is_fully_watched: bool,
    is_stopped: bool,
    /// The written files, each with the generation of its write.
    written_files: VecDeque<(u64, Vec<u8>)>,
    /// `written_files` lists all changes since this generation.
    complete_since: u64,
    /// Directories that are not watched yet.
    new_directories: Vec<PathBuf>,
    /// The watches of directories, sorted so that a directory comes before its subdirectories.
    directories: BTreeMap<PathBuf, i32>,
    git_directory: Option<i32>,
    changes: Option<watch::Sender<u64>>,
}

impl WatchState {
    pub(crate) fn add_tree(&mut self) -> (WatchedTreeId, watch::Receiver<u64>) {
        let id = WatchedTreeId(self.next);
        self.next += 1;
        let (sender, receiver) = watch::channel(1);
        let tree = TreeWatch {
            generation: 1,
            is_fully_watched: false,
            is_stopped: false,
            written_files: VecDeque::new(),
            complete_since: 1,
            new_directories: vec![PathBuf::new()],
            directories: BTreeMap::new(),
            git_directory: None,
            changes: Some(sender),
        };
        self.trees.insert(id, tree);
        (id, receiver)
    }

    /// Enters a watch, and returns the watches to remove. The kernel gives a directory that is watched already the
    /// same watch again: it belongs to the newer worktree then, and the older one stops, because it would miss events.
    pub(crate) fn add_watch(
        &mut self,
        watch: i32,
        id: WatchedTreeId,
        place: WatchTarget,
    ) -> Vec<i32> {
        let Some(tree) = self.trees.get_mut(&id) else { return Vec::new() };
        match &place {
            WatchTarget::Directory(path) => drop(tree.directories.insert(path.clone(), watch)),
            WatchTarget::GitDirectory => tree.git_directory = Some(watch),
        }
        match self.watches.insert(watch, (id, place.clone())) {
            Some((owner, _)) if owner != id => self.stop_watching(owner),
            // A moved directory keeps its watch under another path.
            Some((_, WatchTarget::Directory(old)))
                if place != WatchTarget::Directory(old.clone())
                    && tree.directories.get(&old) == Some(&watch) =>
            {
                tree.directories.remove(&old);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    pub(crate) fn watched_count(&self) -> usize {
        self.watches.len()
    }

    pub(crate) fn release_count(&self) -> u64 {
        self.releases
    }

    pub(crate) fn set_fully_watched(&mut self, id: WatchedTreeId) {
        if let Some(tree) = self.trees.get_mut(&id) {
            tree.is_fully_watched = true;
        }
    }

    pub(crate) fn generation(&self, id: WatchedTreeId) -> Option<u64> {
        self.trees.get(&id).filter(|tree| !tree.is_stopped).map(|tree| tree.generation)
    }

    pub(crate) fn take_new_directories(&mut self, id: WatchedTreeId) -> Vec<PathBuf> {
        self.trees
            .get_mut(&id)
            .map(|tree| std::mem::take(&mut tree.new_directories))
            .unwrap_or_default()
    }

    pub(crate) fn files_written_since(
        &self,
        id: WatchedTreeId,
        generation: u64,
    ) -> Option<Vec<Vec<u8>>> {
        let tree = self
            .trees
            .get(&id)
            .filter(|tree| !tree.is_stopped && tree.complete_since <= generation)?;
        let since = tree.written_files.iter().filter(|(made, _)| *made > generation);
        let mut paths: Vec<Vec<u8>> = since.map(|(_, path)| path.clone()).collect();
        paths.sort();
        paths.dedup();
        Some(paths)
    }

    /// Stops watching a worktree, and returns the watches to remove.
    pub(crate) fn stop_watching(&mut self, id: WatchedTreeId) -> Vec<i32> {
        let mut gone = self.drop_directories(id, Path::new(""));
        if let Some(watch) = self.trees.get_mut(&id).and_then(|tree| tree.git_directory.take())
            && self.release_watch(watch, id)
        {
            gone.push(watch);
        }
        if let Some(tree) = self.trees.get_mut(&id)
            && !tree.is_stopped
        {
            tree.is_stopped = true;
            // Closing the channel informs the subscribers.
            tree.changes = None;
            // A worktree that never fitted releases no room.
            self.releases += u64::from(tree.is_fully_watched);
        }
        gone
    }

    pub(crate) fn remove_tree(&mut self, id: WatchedTreeId) {
        self.trees.remove(&id);
    }

    /// Handles dropped events: anything may have changed, and new directories may exist. Returns the watches to
    /// remove.
    pub(crate) fn overflow(&mut self) -> Vec<i32> {
        let ids: Vec<WatchedTreeId> = self.trees.keys().copied().collect();
        let mut gone = Vec::new();
        for id in ids {
            gone.extend(self.drop_directories(id, Path::new("")));
            if let Some(tree) = self.trees.get_mut(&id) {
                tree.new_directories = vec![PathBuf::new()];
                tree.invalidate();
            }
        }
        gone
    }

    /// Applies one event, and returns the watches to remove.
    pub(crate) fn apply_event(
        &mut self,
        watch: i32,
        flags: ReadFlags,
        name: Option<&[u8]>,
    ) -> Vec<i32> {
        if flags.contains(ReadFlags::QUEUE_OVERFLOW) {
            return self.overflow();
        }
        let Some((id, place)) = self.watches.get(&watch).cloned() else { return Vec::new() };
        let Some(tree) = self.trees.get_mut(&id) else { return Vec::new() };
        if flags.contains(ReadFlags::IGNORED) {
            self.watches.remove(&watch);
            if let WatchTarget::Directory(path) = &place
                && tree.directories.get(path) == Some(&watch)
            {
                tree.directories.remove(path);
            }
        }
        let itself =
            flags.intersects(ReadFlags::IGNORED | ReadFlags::DELETE_SELF | ReadFlags::MOVE_SELF);
        match (place, name) {
            (WatchTarget::Directory(directory), _) if itself => {
                // The parent directory reports a change of a subdirectory.
                if directory.as_os_str().is_empty() { self.stop_watching(id) } else { Vec::new() }
            }
            (WatchTarget::GitDirectory, _) if itself => self.stop_watching(id),
            (WatchTarget::GitDirectory, name) => {
                if name
                    .is_some_and(|name| !name.starts_with(b"forge-") && !name.ends_with(b".lock"))
                {
                    tree.invalidate();
                }
                Vec::new()
            }
            (WatchTarget::Directory(_), None) => {
                tree.invalidate();
                Vec::new()
            }
            (WatchTarget::Directory(directory), Some(name)) => {
                let top = directory.as_os_str().is_empty();
                if top && name == LOCK_FILE.as_bytes() {
                    return Vec::new();
                }
                if name == b".git" && !top {
                    return self.stop_watching(id);
                }
                let path = directory.join(OsStr::from_bytes(name));
                if flags.contains(ReadFlags::ISDIR) {
                    return self.change_directory(id, path, flags);
                }
                if name == b".git" || RULE_FILES.contains(&name) {
                    tree.invalidate();
                } else {
                    tree.record_write(&path);
                }
                Vec::new()
            }
        }
    }

    fn change_directory(&mut self, id: WatchedTreeId, path: PathBuf, flags: ReadFlags) -> Vec<i32> {
        let mut gone = Vec::new();
        if flags.intersects(ReadFlags::DELETE | ReadFlags::MOVED_FROM) {
            gone = self.drop_directories(id, &path);
        }
        if let Some(tree) = self.trees.get_mut(&id) {
            if flags.intersects(ReadFlags::CREATE | ReadFlags::MOVED_TO) {
                tree.new_directories.push(path);
            }
            if tree.new_directories.len() > MAX_NEW_DIRECTORIES {
                tree.new_directories = vec![PathBuf::new()];
            }
            tree.invalidate();
        }
        gone
    }

    /// Drops the watches of a directory and of everything below it.
    fn drop_directories(&mut self, id: WatchedTreeId, path: &Path) -> Vec<i32> {
        let Some(tree) = self.trees.get_mut(&id) else { return Vec::new() };
        let below = tree.directories.range(path.to_owned()..);
        let below = below.take_while(|(directory, _)| directory.starts_with(path));
        let gone: Vec<(PathBuf, i32)> =
            below.map(|(directory, watch)| (directory.clone(), *watch)).collect();
        for (directory, _) in &gone {
            tree.directories.remove(directory);
        }
        let watches = gone.into_iter().map(|(_, watch)| watch);
        watches.filter(|watch| self.release_watch(*watch, id)).collect()
    }

    /// Forgets a watch, unless it belongs to another worktree by now. Returns whether it was forgotten.
    fn release_watch(&mut self, watch: i32, id: WatchedTreeId) -> bool {
        let is_own = self.watches.get(&watch).is_some_and(|(owner, _)| *owner == id);
        if is_own {
            self.watches.remove(&watch);
        }
        is_own
    }
}

impl TreeWatch {
    fn record_write(&mut self, path: &Path) {
        self.generation += 1;
        let path = path.as_os_str().as_bytes();
        // Several writes to one file in a row count once.
        if self.written_files.back().is_some_and(|(_, last)| last == path) {
            self.written_files.pop_back();
        }
        self.written_files.push_back((self.generation, path.to_vec()));
        if self.written_files.len() > MAX_WRITTEN_FILES
            && let Some((generation, _)) = self.written_files.pop_front()
        {
            self.complete_since = generation;
        }
        self.notify();
    }

    fn invalidate(&mut self) {
        self.generation += 1;
        self.complete_since = self.generation;
        self.written_files.clear();
        self.notify();
    }

    fn notify(&self) {
        if let Some(changes) = &self.changes {
            changes.send_replace(self.generation);
        }
    }
}
