use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use gix_hash::ObjectId as Id;
use sha1::{Digest, Sha1};

use crate::files::index_bytes::IndexBytes;
use crate::files::index_entry_stat::{IndexEntryStat, MODE};
use crate::files::tree_listing::{FileKind, TreeFile};
use crate::files::unsupported::Unsupported;

const HASH: usize = 20;
const LONGEST_NAME: u16 = 0x0fff;
/// Before the name: ten words, a hash, and the flags.
const FIXED: usize = 40 + HASH + 2;

/// A git index in its common form: files without conflicts or flags, and the trees they make up.
#[derive(Debug)]
pub(crate) struct PlainIndex {
    /// In the order of their paths.
    pub(crate) entries: Vec<(TreeFile, IndexEntryStat)>,
    /// The tree of every directory, so that git need not make them anew. Empty when unknown.
    pub(crate) trees: BTreeMap<Vec<u8>, Id>,
}

impl PlainIndex {
    pub(crate) fn load(path: &Path) -> Result<Self, Unsupported> {
        let content = std::fs::read(path)?;
        let body = content.len().checked_sub(HASH).and_then(|end| content.get(..end));
        let mut bytes = IndexBytes(body.ok_or_else(|| Unsupported::new("the index is empty"))?);
        if bytes.take(4)? != b"DIRC" || bytes.word()? != 2 {
            return Err(Unsupported::new("another form of index"));
        }
        let count = bytes.word()?;
        let mut index = Self { entries: Vec::new(), trees: BTreeMap::new() };
        for _ in 0..count {
            index.entries.push(entry(&mut bytes)?);
        }
        while !bytes.0.is_empty() {
            let kind = bytes.take(4)?;
            let length = usize::try_from(bytes.word()?).map_err(Unsupported::new)?;
            let content = bytes.take(length)?;
            match kind {
                b"TREE" => {
                    let mut content = IndexBytes(content);
                    if !trees(&mut content, &[], &mut index.trees)? {
                        index.trees.clear();
                    }
                }
                // What begins with a capital may be passed over.
                [b'A'..=b'Z', ..] => {}
                _ => return Err(Unsupported::new("an index with parts elsewhere")),
            }
        }
        Ok(index)
    }

    /// Puts the index in its place by git's own protocol: no other process may hold its lock. It reaches the disk when the files
    /// do, not before: should the machine go down meanwhile, it is empty, which is seen, and not one that vouches for
    /// files that are lost.
    pub(crate) fn save(&self, git_dir: &Path) -> Result<(), Unsupported> {
        let mut content = self.encode()?;
        let sum = Sha1::digest(&content);
        content.extend_from_slice(&sum);
        let (lock, path) = (git_dir.join("index.lock"), git_dir.join("index"));
        let mut file = std::fs::File::create_new(&lock)?;
        let written = file.write_all(&content).and_then(|()| std::fs::rename(&lock, &path));
        if written.is_err() {
            std::fs::remove_file(&lock).ok();
        }
        Ok(written?)
    }

    fn encode(&self) -> Result<Vec<u8>, Unsupported> {
        let names: usize = self.entries.iter().map(|(file, _)| file.path.len()).sum();
        let mut out = Vec::with_capacity(names + self.entries.len() * (FIXED + 8) + 4096);
        let count = u32::try_from(self.entries.len()).map_err(Unsupported::new)?;
        out.extend_from_slice(b"DIRC");
        out.extend_from_slice(&2_u32.to_be_bytes());
        out.extend_from_slice(&count.to_be_bytes());
        for (file, IndexEntryStat(words)) in &self.entries {
            let (before, after) = words.split_at(MODE);
            for word in before.iter().chain(&[file.kind.mode()]).chain(after) {
                out.extend_from_slice(&word.to_be_bytes());
            }
            out.extend_from_slice(file.id.as_slice());
            let length = u16::try_from(file.path.len()).unwrap_or(LONGEST_NAME).min(LONGEST_NAME);
            out.extend_from_slice(&length.to_be_bytes());
            out.extend_from_slice(&file.path);
            out.resize(out.len() + padding(file.path.len()), 0);
        }
        if !self.trees.is_empty() {
            let mut trees = Vec::new();
            self.encode_trees(&mut trees);
            out.extend_from_slice(b"TREE");
            let length = u32::try_from(trees.len()).map_err(Unsupported::new)?;
            out.extend_from_slice(&length.to_be_bytes());
            out.extend_from_slice(&trees);
        }
        Ok(out)
    }

    /// Each directory before those in it, with the number of files below it and of directories in it.
    fn encode_trees(&self, out: &mut Vec<u8>) {
        let mut counts: BTreeMap<&[u8], (usize, usize)> = BTreeMap::new();
        // Files of one directory lie together, mostly.
        for run in self.entries.chunk_by(|(one, _), (other, _)| parent(one) == parent(other)) {
            for directory in
                run.first().into_iter().flat_map(|(file, _)| parent_directories(&file.path))
            {
                counts.entry(directory).or_default().0 += run.len();
            }
        }
        for directory in self.trees.keys() {
            if let Some(parent) =
                parent_directories(directory).next().filter(|_| !directory.is_empty())
            {
                counts.entry(parent).or_default().1 += 1;
            }
        }
        // By whole paths, `a-b` would stand between `a` and `a/b`.
        let mut order: Vec<(&Vec<u8>, &Id)> = self.trees.iter().collect();
        order.sort_by(|(one, _), (other, _)| one.split(is_slash).cmp(other.split(is_slash)));
        for (directory, id) in order {
            let name = directory.rsplit(is_slash).next().unwrap_or_default();
            let (files, directories) =
                counts.get(directory.as_slice()).copied().unwrap_or_default();
            out.extend_from_slice(name);
            out.extend_from_slice(format!("\0{files} {directories}\n").as_bytes());
            out.extend_from_slice(id.as_slice());
        }
    }
}

fn parent(file: &TreeFile) -> Option<&[u8]> {
    parent_directories(&file.path).next()
}

fn is_slash(byte: &u8) -> bool {
    *byte == b'/'
}

/// The directories that a path is in, the nearest first and the top last.
pub(crate) fn parent_directories(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    let nested = path.iter().enumerate().rev().filter(|(_, byte)| is_slash(byte));
    nested.filter_map(|(end, _)| path.get(..end)).chain(std::iter::once(&b""[..]))
}

/// Names end with one to eight zero bytes.
fn padding(name: usize) -> usize {
    8 - (FIXED + name) % 8
}

fn entry(bytes: &mut IndexBytes<'_>) -> Result<(TreeFile, IndexEntryStat), Unsupported> {
    let mut words = [0; 10];
    for word in &mut words {
        *word = bytes.word()?;
    }
    let [a, b, c, d, e, f, mode, g, h, i] = words;
    let id = Id::try_from(bytes.take(HASH)?).map_err(Unsupported::new)?;
    let flags = bytes.half()?;
    let path = bytes.until(0)?;
    bytes.take(padding(path.len()) - 1)?;
    let kind = FileKind::of_mode(mode);
    match kind {
        Some(kind) if flags & !LONGEST_NAME == 0 => {
            let file = TreeFile { path: path.to_owned(), kind, id };
            Ok((file, IndexEntryStat([a, b, c, d, e, f, g, h, i])))
        }
        _ => Err(Unsupported::path("an entry that is not plain", path)),
    }
}

/// Reads a directory's tree and those in it. False when one of them is not known.
fn trees(
    bytes: &mut IndexBytes<'_>,
    parent: &[u8],
    found: &mut BTreeMap<Vec<u8>, Id>,
) -> Result<bool, Unsupported> {
    let name = bytes.until(0)?;
    let (files, directories) = (bytes.number(b' ')?, bytes.number(b'\n')?);
    let path = if parent.is_empty() { name.to_vec() } else { [parent, b"/", name].concat() };
    let mut known = files >= 0;
    if known {
        let id = Id::try_from(bytes.take(HASH)?).map_err(Unsupported::new)?;
        found.insert(path.clone(), id);
    }
    for _ in 0..directories {
        known &= trees(bytes, &path, found)?;
    }
    Ok(known)
}
