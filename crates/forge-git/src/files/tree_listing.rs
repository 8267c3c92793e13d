use gix_hash::ObjectId as Id;
use gix_object::tree::EntryKind;

use crate::files::object_database::{ObjectDatabase, TreeEntry};
use crate::files::unsupported::Unsupported;

/// A file of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TreeFile {
    pub(crate) path: Vec<u8>,
    pub(crate) kind: FileKind,
    pub(crate) id: Id,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    Plain,
    Executable,
    Link,
}

impl FileKind {
    /// As trees and indexes write it.
    pub(crate) fn mode(self) -> u32 {
        match self {
            Self::Plain => 0o100_644,
            Self::Executable => 0o100_755,
            Self::Link => 0o120_000,
        }
    }

    /// Whether it has content of its own.
    pub(crate) fn is_file(self) -> bool {
        self != Self::Link
    }

    pub(crate) fn of_mode(mode: u32) -> Option<Self> {
        [Self::Plain, Self::Executable, Self::Link].into_iter().find(|kind| kind.mode() == mode)
    }
}

/// Every file of a tree, in the order of an index, and every directory, each before those in it.
#[derive(Debug, Default)]
pub(crate) struct TreeListing {
    pub(crate) files: Vec<TreeFile>,
    pub(crate) directories: Vec<(Vec<u8>, Id)>,
}

impl TreeListing {
    pub(crate) fn of(objects: &ObjectDatabase, tree: Id) -> Result<Self, Unsupported> {
        let mut listing = Self::default();
        listing.add(objects, Vec::new(), tree)?;
        Ok(listing)
    }

    /// Everything below a directory.
    pub(crate) fn add(
        &mut self,
        objects: &ObjectDatabase,
        path: Vec<u8>,
        tree: Id,
    ) -> Result<(), Unsupported> {
        self.directories.push((path.clone(), tree));
        for entry in objects.tree(&tree)? {
            let below = join(&path, &entry)?;
            match kind_of(&entry, &below)? {
                Some(kind) => self.files.push(TreeFile { path: below, kind, id: entry.id }),
                None => self.add(objects, below, entry.id)?,
            }
        }
        Ok(())
    }
}

/// What kind of file it is; `None` for a directory.
pub(crate) fn kind_of(entry: &TreeEntry, path: &[u8]) -> Result<Option<FileKind>, Unsupported> {
    match entry.kind {
        EntryKind::Tree => Ok(None),
        EntryKind::Blob => Ok(Some(FileKind::Plain)),
        EntryKind::BlobExecutable => Ok(Some(FileKind::Executable)),
        EntryKind::Link if entry.name.to_ascii_lowercase().starts_with(b".git") => {
            Err(Unsupported::path("git does not make this a symlink", path))
        }
        EntryKind::Link => Ok(Some(FileKind::Link)),
        EntryKind::Commit => Err(Unsupported::path("a submodule", path)),
    }
}

/// The path of a name in a directory. Names that git refuses, here or on other systems, are left for it to refuse.
pub(crate) fn join(directory: &[u8], entry: &TreeEntry) -> Result<Vec<u8>, Unsupported> {
    let name = entry.name.as_slice();
    let odd = name.iter().any(|byte| matches!(byte, b'/' | b'\\' | b':' | 0));
    let start = name.get(..4).unwrap_or(name).to_ascii_lowercase();
    let disguised = match start.as_slice() {
        b".git" => name.get(4..).is_some_and(|rest| {
            rest.iter().all(|byte| matches!(byte, b' ' | b'.')) || !rest.is_ascii()
        }),
        b"git~" => true,
        _ => false,
    };
    if name.is_empty() || name == b"." || name == b".." || odd || disguised {
        return Err(Unsupported::path("an odd name", name));
    }
    let mut path = Vec::with_capacity(directory.len() + 1 + name.len());
    path.extend_from_slice(directory);
    if !directory.is_empty() {
        path.push(b'/');
    }
    path.extend_from_slice(name);
    Ok(path)
}
