use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use gix_hash::ObjectId as Id;
use gix_object::bstr::BStr;
use gix_object::tree::{Editor, EntryKind};
use gix_object::{Exists, FindExt, Write, WriteTo};

use crate::files::unsupported::Unsupported;
use crate::refs::object_id::ObjectId;

/// What one file may be made of in memory; git streams larger ones.
pub(crate) const MOST_BYTES: u64 = 64 * 1024 * 1024;
/// What each thread may keep of objects that others are told by their difference from.
const DELTA_BASE_BYTES: usize = 16 * 1024 * 1024;

/// The objects of a repository, read without starting git. Each thread has its own clone.
#[derive(Clone)]
pub(crate) struct ObjectDatabase {
    store: gix_odb::HandleArc,
}

/// What a tree says about one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TreeEntry {
    pub(crate) name: Vec<u8>,
    pub(crate) kind: EntryKind,
    pub(crate) id: Id,
}

impl ObjectDatabase {
    pub(crate) fn open(common_dir: &Path) -> Result<Self, Unsupported> {
        // What is too large to be held in memory is refused while it is read, not looked up twice.
        let options = gix_odb::store::init::Options {
            alloc_limit_bytes: usize::try_from(MOST_BYTES).ok(),
            ..Default::default()
        };
        let (place, replaced) = (common_dir.join("objects"), &mut std::iter::empty());
        let store = gix_odb::Store::at_opts(place, gix_hash::Kind::Sha1, replaced, options)?;
        let mut store = Arc::new(store).to_cache_arc();
        store.set_pack_cache(|| {
            Box::new(gix_pack::cache::lru::MemoryCappedHashmap::new(DELTA_BASE_BYTES))
        });
        Ok(Self { store })
    }

    /// The tree of a commit, which is proof that the commit is there.
    pub(crate) fn tree_of(&self, commit: &ObjectId) -> Result<Id, Unsupported> {
        let id = Id::from_hex(commit.as_str().as_bytes()).map_err(Unsupported::new)?;
        let mut buffer = Vec::new();
        let found = self.store.find_commit(&id, &mut buffer).map_err(Unsupported::new)?;
        Ok(found.tree())
    }

    pub(crate) fn tree(&self, id: &Id) -> Result<Vec<TreeEntry>, Unsupported> {
        let mut buffer = Vec::new();
        let tree = self.store.find_tree(id, &mut buffer).map_err(Unsupported::new)?;
        let entries = tree.entries.iter().map(|entry| TreeEntry {
            name: entry.filename.to_vec(),
            kind: entry.mode.kind(),
            id: entry.oid.to_owned(),
        });
        Ok(entries.collect())
    }

    /// Stores an object, unless it is there.
    pub(crate) fn put(&self, kind: gix_object::Kind, content: &[u8]) -> Result<Id, Unsupported> {
        let id = gix_object::compute_hash(gix_hash::Kind::Sha1, kind, content);
        let id = id.map_err(Unsupported::new)?;
        if self.store.exists(&id) {
            return Ok(id);
        }
        self.store.write_buf(kind, content).map_err(Unsupported::new)
    }

    /// Stores an object, and waits until the disk has it: a reference to an object that a power cut took would break the
    /// repository.
    pub(crate) fn put_durably(
        &self,
        kind: gix_object::Kind,
        content: &[u8],
    ) -> Result<Id, Unsupported> {
        let id = self.put(kind, content)?;
        let name = id.to_hex().to_string();
        let (directory, file) = name.split_at(2);
        let objects = self.store.store_ref().path();
        let directory = objects.join(directory);
        match File::open(directory.join(file)) {
            Ok(object) => {
                object.sync_all()?;
                File::open(directory)?.sync_all()?;
                File::open(objects)?.sync_all()?;
            }
            // Git has packed it, and flushed the pack.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        Ok(id)
    }

    /// Stores a tree in which these paths are gone and then these are there.
    pub(crate) fn edit(
        &self,
        base: &Id,
        gone: &[&[u8]],
        there: &[(&[u8], EntryKind, Id)],
    ) -> Result<Id, Unsupported> {
        let mut buffer = Vec::new();
        let root = self.store.find_tree(base, &mut buffer).map_err(Unsupported::new)?;
        let mut editor = Editor::new(root.into_owned(), &self.store, gix_hash::Kind::Sha1);
        for path in gone {
            editor.remove(split_path(path)).map_err(Unsupported::new)?;
        }
        for (path, kind, id) in there {
            editor.upsert(split_path(path), *kind, *id).map_err(Unsupported::new)?;
        }
        editor.write(|tree| {
            let mut content = Vec::new();
            tree.write_to(&mut content)?;
            self.put(gix_object::Kind::Tree, &content)
        })
    }

    pub(crate) fn blob<'a>(
        &self,
        id: &Id,
        buffer: &'a mut Vec<u8>,
    ) -> Result<&'a [u8], Unsupported> {
        Ok(self.store.find_blob(id, buffer).map_err(Unsupported::new)?.data)
    }
}

fn split_path(path: &[u8]) -> impl Iterator<Item = &BStr> {
    path.split(|byte| *byte == b'/').map(BStr::new)
}

impl std::fmt::Debug for ObjectDatabase {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ObjectDatabase").finish_non_exhaustive()
    }
}
