use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use proptest::prelude::*;

/// A random change to the files of a directory. The names conflict as files and directories and are neighbours in
/// index order.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    File(&'static str, u8),
    Executable(&'static str),
    Link(&'static str, &'static str),
    Remove(&'static str),
}

const NAMES: [&str; 12] = [
    "a",
    "a-b",
    "a.c",
    "a/b",
    "a/b/c",
    "a/b-c/d",
    "a/b.c/d e",
    "b/ä",
    "b/.hidden",
    "z/y/x/w",
    "z-y",
    "z/y.x",
];

pub(crate) fn change() -> impl Strategy<Value = Change> {
    let name = || prop::sample::select(NAMES.to_vec());
    prop_oneof![
        4 => (name(), any::<u8>()).prop_map(|(name, content)| Change::File(name, content)),
        1 => name().prop_map(Change::Executable),
        1 => (name(), name()).prop_map(|(name, target)| Change::Link(name, target)),
        2 => name().prop_map(Change::Remove),
    ]
}

/// Removes whatever is at a path or blocks its parent directories, and creates the parents.
fn clear(top: &Path, name: &str) -> std::path::PathBuf {
    let mut path = top.to_owned();
    for part in name.split('/') {
        if path.symlink_metadata().is_ok_and(|found| !found.is_dir()) {
            std::fs::remove_file(&path).expect("there");
        }
        path.push(part);
    }
    std::fs::create_dir_all(path.parent().expect("a parent")).expect("made");
    match path.symlink_metadata() {
        Ok(found) if found.is_dir() => std::fs::remove_dir_all(&path).expect("removed"),
        Ok(_) => std::fs::remove_file(&path).expect("removed"),
        Err(_) => {}
    }
    path
}

impl Change {
    pub(crate) fn make(&self, top: &Path) {
        match self {
            Self::File(name, content) => {
                let path = clear(top, name);
                std::fs::write(path, vec![b'x'; usize::from(*content)]).expect("written");
            }
            Self::Executable(name) => {
                let path = clear(top, name);
                std::fs::write(&path, "#!/bin/sh\n").expect("written");
                std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("set");
            }
            Self::Link(name, target) => {
                let path = clear(top, name);
                symlink(target, path).expect("made");
            }
            Self::Remove(name) => drop(clear(top, name)),
        }
    }
}
