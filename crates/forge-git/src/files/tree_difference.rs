use std::collections::{BTreeMap, BTreeSet};

use gix_hash::ObjectId as Id;
use gix_object::tree::EntryKind;

use crate::files::index_entry_stat::IndexEntryStat;
use crate::files::object_database::{ObjectDatabase, TreeEntry};
use crate::files::plain_index::PlainIndex;
use crate::files::tree_listing::{FileKind, TreeFile, TreeListing, join, kind_of};
use crate::files::unsupported::Unsupported;

/// The difference of two trees. Directories that are the same in both are not read.
#[derive(Debug, Default)]
pub(crate) struct TreeDifference {
    /// Files of the first, with what they were: gone, or replaced.
    pub(crate) removed: BTreeMap<Vec<u8>, Id>,
    /// Files of the second, where the first has another or none.
    pub(crate) written: Vec<TreeFile>,
    /// Those of them that were files of the same kind before.
    pub(crate) rewritten: BTreeSet<Vec<u8>>,
    gone: BTreeSet<Vec<u8>>,
    trees: BTreeMap<Vec<u8>, Id>,
}

impl TreeDifference {
    pub(crate) fn between(objects: &ObjectDatabase, from: Id, to: Id) -> Result<Self, Unsupported> {
        let mut difference = Self::default();
        difference.compare(objects, &[], from, to)?;
        difference.written.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(difference)
    }

    fn compare(
        &mut self,
        objects: &ObjectDatabase,
        path: &[u8],
        from: Id,
        to: Id,
    ) -> Result<(), Unsupported> {
        if from == to {
            return Ok(());
        }
        self.trees.insert(path.to_owned(), to);
        let mut before: BTreeMap<Vec<u8>, TreeEntry> =
            objects.tree(&from)?.into_iter().map(|entry| (entry.name.clone(), entry)).collect();
        for new in objects.tree(&to)? {
            let below = join(path, &new)?;
            match before.remove(&new.name) {
                Some(old) if old == new => {}
                Some(old) if old.kind == EntryKind::Tree && new.kind == EntryKind::Tree => {
                    self.compare(objects, &below, old.id, new.id)?;
                }
                Some(old) => {
                    if old.kind == new.kind && kind_of(&new, &below)?.is_some_and(FileKind::is_file)
                    {
                        self.rewritten.insert(below.clone());
                    }
                    self.remove(objects, below.clone(), &old)?;
                    self.add(objects, below, &new)?;
                }
                None => self.add(objects, below, &new)?,
            }
        }
        for old in before.into_values() {
            self.remove(objects, join(path, &old)?, &old)?;
        }
        Ok(())
    }

    fn add(
        &mut self,
        objects: &ObjectDatabase,
        path: Vec<u8>,
        entry: &TreeEntry,
    ) -> Result<(), Unsupported> {
        match kind_of(entry, &path)? {
            Some(kind) => self.written.push(TreeFile { path, kind, id: entry.id }),
            None => {
                let mut listing = TreeListing::default();
                listing.add(objects, path, entry.id)?;
                self.written.extend(listing.files);
                self.trees.extend(listing.directories);
            }
        }
        Ok(())
    }

    fn remove(
        &mut self,
        objects: &ObjectDatabase,
        path: Vec<u8>,
        entry: &TreeEntry,
    ) -> Result<(), Unsupported> {
        match kind_of(entry, &path)? {
            Some(_) => {
                self.removed.insert(path, entry.id);
            }
            None => {
                let mut listing = TreeListing::default();
                listing.add(objects, path, entry.id)?;
                self.removed.extend(listing.files.into_iter().map(|file| (file.path, file.id)));
                self.gone.extend(listing.directories.into_iter().map(|(path, _)| path));
            }
        }
        Ok(())
    }

    /// The directories that no file is left in, the deepest first.
    pub(crate) fn emptied(&self) -> impl Iterator<Item = &[u8]> {
        self.gone.iter().rev().map(Vec::as_slice)
    }

    /// Whether an index is that of the first tree, as far as it is going to change.
    pub(crate) fn check(&self, index: &PlainIndex) -> Result<(), Unsupported> {
        for (path, id) in &self.removed {
            let found = index.entries.binary_search_by(|(file, _)| file.path.cmp(path)).ok();
            if found.and_then(|at| index.entries.get(at)).is_none_or(|(file, _)| file.id != *id) {
                return Err(Unsupported::path("the index is not that of the commit", path));
            }
        }
        Ok(())
    }

    /// The index of the second tree, from that of the first and the metadata of the written files.
    pub(crate) fn apply(self, mut index: PlainIndex, stamps: Vec<IndexEntryStat>) -> PlainIndex {
        index.entries.retain(|(file, _)| !self.removed.contains_key(&file.path));
        index.entries.extend(self.written.into_iter().zip(stamps));
        index.entries.sort_by(|(one, _), (other, _)| one.path.cmp(&other.path));
        if !index.trees.is_empty() {
            index.trees.retain(|path, _| !self.gone.contains(path));
            index.trees.extend(self.trees);
        }
        index
    }
}
