use std::collections::{BTreeMap, BTreeSet};

use gix_hash::ObjectId as Id;
use gix_object::tree::EntryKind;

use crate::files::declined::Declined;
use crate::files::index::Index;
use crate::files::listing::{File, FileKind, Listing, join, kind_of};
use crate::files::objects::{Objects, TreeEntry};
use crate::files::stamp::Stamp;

/// What leads from one tree to another. Directories that are the same in both are not even looked at.
#[derive(Debug, Default)]
pub(crate) struct Difference {
    /// Files of the first, with what they were: gone, or replaced.
    pub(crate) removed: BTreeMap<Vec<u8>, Id>,
    /// Files of the second, where the first has another or none.
    pub(crate) written: Vec<File>,
    /// Those of them that were files of the same kind before.
    pub(crate) rewritten: BTreeSet<Vec<u8>>,
    gone: BTreeSet<Vec<u8>>,
    trees: BTreeMap<Vec<u8>, Id>,
}

impl Difference {
    pub(crate) fn between(objects: &Objects, from: Id, to: Id) -> Result<Self, Declined> {
        let mut difference = Self::default();
        difference.compare(objects, &[], from, to)?;
        difference.written.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(difference)
    }

    fn compare(
        &mut self,
        objects: &Objects,
        path: &[u8],
        from: Id,
        to: Id,
    ) -> Result<(), Declined> {
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

    fn add(&mut self, objects: &Objects, path: Vec<u8>, entry: &TreeEntry) -> Result<(), Declined> {
        match kind_of(entry, &path)? {
            Some(kind) => self.written.push(File { path, kind, id: entry.id }),
            None => {
                let mut listing = Listing::default();
                listing.add(objects, path, entry.id)?;
                self.written.extend(listing.files);
                self.trees.extend(listing.directories);
            }
        }
        Ok(())
    }

    fn remove(
        &mut self,
        objects: &Objects,
        path: Vec<u8>,
        entry: &TreeEntry,
    ) -> Result<(), Declined> {
        match kind_of(entry, &path)? {
            Some(_) => {
                self.removed.insert(path, entry.id);
            }
            None => {
                let mut listing = Listing::default();
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
    pub(crate) fn check(&self, index: &Index) -> Result<(), Declined> {
        for (path, id) in &self.removed {
            let found = index.entries.binary_search_by(|(file, _)| file.path.cmp(path)).ok();
            if found.and_then(|at| index.entries.get(at)).is_none_or(|(file, _)| file.id != *id) {
                return Err(Declined::path("the index is not that of the commit", path));
            }
        }
        Ok(())
    }

    /// The index of the second tree, from that of the first and what the written files look like.
    pub(crate) fn apply(self, mut index: Index, stamps: Vec<Stamp>) -> Index {
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
