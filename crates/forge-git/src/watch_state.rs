use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::inotify::ReadFlags;
use tokio::sync::watch;

use crate::hold::LOCK_FILE;

/// More written files than this are as good as "everything".
const MOST_TOUCHED: usize = 500;

/// With more new directories than this, all of them are looked for.
const MOST_FRESH: usize = 500;

/// Files that change what git says of other files.
const RULES: [&[u8]; 3] = [b".gitignore", b".gitattributes", b".gitmodules"];

/// One watched worktree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct TreeId(u64);

/// What a watch is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// A directory of the worktree, from its top level.
    Directory(PathBuf),
    /// Where the worktree's HEAD and index are.
    GitDirectory,
}

/// What is watched, and what became of it.
#[derive(Debug, Default)]
pub(crate) struct State {
    watches: HashMap<i32, (TreeId, Place)>,
    trees: HashMap<TreeId, Tree>,
    next: u64,
    releases: u64,
}

#[derive(Debug)]
struct Tree {
    generation: u64,
    /// All of it is watched, for the first time.
    live: bool,
    lost: bool,
    /// Files written, with the generation that each made.
    touched: VecDeque<(u64, Vec<u8>)>,
    /// Before this generation more happened than `touched` tells.
    told_since: u64,
    /// Directories that are not watched yet.
    fresh: Vec<PathBuf>,
    /// The watches of directories, in an order in which what is below one follows it.
    directories: BTreeMap<PathBuf, i32>,
    git_directory: Option<i32>,
    changes: Option<watch::Sender<u64>>,
}

impl State {
    pub(crate) fn add_tree(&mut self) -> (TreeId, watch::Receiver<u64>) {
        let id = TreeId(self.next);
        self.next += 1;
        let (sender, receiver) = watch::channel(1);
        let tree = Tree {
            generation: 1,
            live: false,
            lost: false,
            touched: VecDeque::new(),
            told_since: 1,
            fresh: vec![PathBuf::new()],
            directories: BTreeMap::new(),
            git_directory: None,
            changes: Some(sender),
        };
        self.trees.insert(id, tree);
        (id, receiver)
    }

    pub(crate) fn enter(&mut self, watch: i32, id: TreeId, place: Place) {
        let Some(tree) = self.trees.get_mut(&id) else { return };
        match &place {
            Place::Directory(path) => drop(tree.directories.insert(path.clone(), watch)),
            Place::GitDirectory => tree.git_directory = Some(watch),
        }
        // The same directory by another name, once it was moved.
        if let Some((_, Place::Directory(old))) = self.watches.insert(watch, (id, place.clone()))
            && place != Place::Directory(old.clone())
            && tree.directories.get(&old) == Some(&watch)
        {
            tree.directories.remove(&old);
        }
    }

    pub(crate) fn watched(&self) -> usize {
        self.watches.len()
    }

    pub(crate) fn releases(&self) -> u64 {
        self.releases
    }

    pub(crate) fn set_live(&mut self, id: TreeId) {
        if let Some(tree) = self.trees.get_mut(&id) {
            tree.live = true;
        }
    }

    pub(crate) fn generation(&self, id: TreeId) -> Option<u64> {
        self.trees.get(&id).filter(|tree| !tree.lost).map(|tree| tree.generation)
    }

    pub(crate) fn take_fresh(&mut self, id: TreeId) -> Vec<PathBuf> {
        self.trees.get_mut(&id).map(|tree| std::mem::take(&mut tree.fresh)).unwrap_or_default()
    }

    pub(crate) fn touched_since(&self, id: TreeId, generation: u64) -> Option<Vec<Vec<u8>>> {
        let tree =
            self.trees.get(&id).filter(|tree| !tree.lost && tree.told_since <= generation)?;
        let since = tree.touched.iter().filter(|(made, _)| *made > generation);
        let mut paths: Vec<Vec<u8>> = since.map(|(_, path)| path.clone()).collect();
        paths.sort();
        paths.dedup();
        Some(paths)
    }

    /// Gives up on a worktree: which watches are to be taken back.
    pub(crate) fn lose(&mut self, id: TreeId) -> Vec<i32> {
        let mut gone = self.drop_directories(id, Path::new(""));
        if let Some(watch) = self.trees.get_mut(&id).and_then(|tree| tree.git_directory.take()) {
            self.watches.remove(&watch);
            gone.push(watch);
        }
        if let Some(tree) = self.trees.get_mut(&id)
            && !tree.lost
        {
            tree.lost = true;
            // Whoever follows it is told by the end of the channel.
            tree.changes = None;
            // What never fitted gives nobody room.
            self.releases += u64::from(tree.live);
        }
        gone
    }

    pub(crate) fn forget(&mut self, id: TreeId) {
        self.trees.remove(&id);
    }

    /// Events were dropped: anything may have happened anywhere, directories may have appeared.
    pub(crate) fn overflow(&mut self) -> Vec<i32> {
        let ids: Vec<TreeId> = self.trees.keys().copied().collect();
        let mut gone = Vec::new();
        for id in ids {
            gone.extend(self.drop_directories(id, Path::new("")));
            if let Some(tree) = self.trees.get_mut(&id) {
                tree.fresh = vec![PathBuf::new()];
                tree.change_wholly();
            }
        }
        gone
    }

    /// Takes one event in: which watches are to be taken back.
    pub(crate) fn take_in(
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
            if let Place::Directory(path) = &place
                && tree.directories.get(path) == Some(&watch)
            {
                tree.directories.remove(path);
            }
        }
        let itself =
            flags.intersects(ReadFlags::IGNORED | ReadFlags::DELETE_SELF | ReadFlags::MOVE_SELF);
        match (place, name) {
            (Place::Directory(directory), _) if itself => {
                // A directory below the top is reported by the one it was in.
                if directory.as_os_str().is_empty() { self.lose(id) } else { Vec::new() }
            }
            (Place::GitDirectory, _) if itself => self.lose(id),
            (Place::GitDirectory, name) => {
                if name
                    .is_some_and(|name| !name.starts_with(b"forge-") && !name.ends_with(b".lock"))
                {
                    tree.change_wholly();
                }
                Vec::new()
            }
            (Place::Directory(_), None) => {
                tree.change_wholly();
                Vec::new()
            }
            (Place::Directory(directory), Some(name)) => {
                let top = directory.as_os_str().is_empty();
                if top && name == LOCK_FILE.as_bytes() {
                    return Vec::new();
                }
                if name == b".git" && !top {
                    return self.lose(id);
                }
                let path = directory.join(OsStr::from_bytes(name));
                if flags.contains(ReadFlags::ISDIR) {
                    return self.change_directory(id, path, flags);
                }
                if name == b".git" || RULES.contains(&name) {
                    tree.change_wholly();
                } else {
                    tree.touch(&path);
                }
                Vec::new()
            }
        }
    }

    fn change_directory(&mut self, id: TreeId, path: PathBuf, flags: ReadFlags) -> Vec<i32> {
        let mut gone = Vec::new();
        if flags.intersects(ReadFlags::DELETE | ReadFlags::MOVED_FROM) {
            gone = self.drop_directories(id, &path);
        }
        if let Some(tree) = self.trees.get_mut(&id) {
            if flags.intersects(ReadFlags::CREATE | ReadFlags::MOVED_TO) {
                tree.fresh.push(path);
            }
            if tree.fresh.len() > MOST_FRESH {
                tree.fresh = vec![PathBuf::new()];
            }
            tree.change_wholly();
        }
        gone
    }

    /// Forgets the watches of a directory and of what is below it.
    fn drop_directories(&mut self, id: TreeId, path: &Path) -> Vec<i32> {
        let Some(tree) = self.trees.get_mut(&id) else { return Vec::new() };
        let below = tree.directories.range(path.to_owned()..);
        let below = below.take_while(|(directory, _)| directory.starts_with(path));
        let gone: Vec<(PathBuf, i32)> =
            below.map(|(directory, watch)| (directory.clone(), *watch)).collect();
        for (directory, watch) in &gone {
            tree.directories.remove(directory);
            self.watches.remove(watch);
        }
        gone.into_iter().map(|(_, watch)| watch).collect()
    }
}

impl Tree {
    fn touch(&mut self, path: &Path) {
        self.generation += 1;
        let path = path.as_os_str().as_bytes();
        // A file that is written in pieces is one file.
        if self.touched.back().is_some_and(|(_, last)| last == path) {
            self.touched.pop_back();
        }
        self.touched.push_back((self.generation, path.to_vec()));
        if self.touched.len() > MOST_TOUCHED
            && let Some((generation, _)) = self.touched.pop_front()
        {
            self.told_since = generation;
        }
        self.tell();
    }

    fn change_wholly(&mut self) {
        self.generation += 1;
        self.told_since = self.generation;
        self.touched.clear();
        self.tell();
    }

    fn tell(&self) {
        if let Some(changes) = &self.changes {
            changes.send_replace(self.generation);
        }
    }
}
