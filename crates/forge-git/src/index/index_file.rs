use std::path::Path;

use crate::fs::regular_file::read_regular_unlimited;

/// Facts about an index that git cannot report cheaply. Read from the file itself, in any version that git writes; a
/// file in an unknown format yields nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct IndexFile {
    /// Gitlinks: entries that name a commit of another repository.
    pub(crate) gitlinks: Vec<Vec<u8>>,
    /// Entries whose files git does not compare (`assume-unchanged`, `skip-worktree`).
    pub(crate) not_compared: Vec<Vec<u8>>,
    /// Entries that a merge left in conflict.
    pub(crate) unmerged: Vec<Vec<u8>>,
    /// The tree of the entries, if the file contains it.
    pub(crate) tree: Option<String>,
    /// Whether a split index keeps further entries in another file.
    is_split: bool,
}

const GITLINK_MODE: u32 = 0o160_000;
const ASSUMED_VALID: u16 = 0x8000;
const EXTENDED: u16 = 0x4000;
const STAGE_MASK: u16 = 0x3000;
const SKIP_WORKTREE: u16 = 0x4000;
const MODE_OFFSET: usize = 24;
const OBJECT_ID_OFFSET: usize = 40;

impl IndexFile {
    /// Reads an index; `hash` is the length of an object id in bytes. An unreadable file yields an empty value.
    pub(crate) fn read(path: &Path, hash: usize) -> Self {
        read_regular_unlimited(path)
            .ok()
            .and_then(|bytes| Self::parse(&bytes, hash))
            .unwrap_or_default()
    }

    /// Reads an index; `None` if its format is unknown or it is split.
    pub(crate) fn read_whole(path: &Path, hash: usize) -> Option<Self> {
        let bytes = read_regular_unlimited(path).ok()?;
        Self::parse(&bytes, hash).filter(|found| !found.is_split)
    }

    /// Calls `each` with the path of every entry; with none if the format is unknown.
    pub(crate) fn visit(path: &Path, hash: usize, mut each: impl FnMut(&[u8])) {
        if let Ok(bytes) = read_regular_unlimited(path) {
            Self::parse_each(&bytes, hash, &mut each);
        }
    }

    fn parse(bytes: &[u8], hash: usize) -> Option<Self> {
        Self::parse_each(bytes, hash, &mut |_| {})
    }

    fn parse_each(bytes: &[u8], hash: usize, each: &mut impl FnMut(&[u8])) -> Option<Self> {
        let header = bytes.get(..12)?;
        let version = read_u32(header, 4)?;
        if !header.starts_with(b"DIRC") || !(2..=4).contains(&version) {
            return None;
        }
        let mut found = Self::default();
        let mut at = 12;
        let mut name: Vec<u8> = Vec::new();
        for _ in 0..read_u32(header, 8)? {
            let start = at;
            let mode = read_u32(bytes, start + MODE_OFFSET)?;
            let flags = read_u16(bytes, start + OBJECT_ID_OFFSET + hash)?;
            at = start + OBJECT_ID_OFFSET + hash + 2;
            let mut more = 0;
            if flags & EXTENDED != 0 {
                more = read_u16(bytes, at)?;
                at += 2;
            }
            if version == 4 {
                let dropped = read_offset(bytes, &mut at)?;
                name.truncate(name.len().checked_sub(dropped)?);
            } else {
                name.clear();
            }
            let length = bytes.get(at..)?.iter().position(|byte| *byte == 0)?;
            name.extend_from_slice(bytes.get(at..at + length)?);
            at += length;
            at = if version == 4 { at + 1 } else { start + (at - start + 8) / 8 * 8 };
            each(&name);
            if mode == GITLINK_MODE {
                found.gitlinks.push(name.clone());
            }
            if flags & ASSUMED_VALID != 0 || more & SKIP_WORKTREE != 0 {
                found.not_compared.push(name.clone());
            }
            if flags & STAGE_MASK != 0 && found.unmerged.last() != Some(&name) {
                found.unmerged.push(name.clone());
            }
        }
        let extensions = bytes.get(at..bytes.len().checked_sub(hash)?)?;
        found.is_split = find_extension(extensions, b"link").is_some();
        found.tree =
            find_extension(extensions, b"TREE").and_then(|content| parse_root_tree(content, hash));
        Some(found)
    }
}

/// The content of an index extension.
fn find_extension<'a>(mut extensions: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    loop {
        let length = usize::try_from(read_u32(extensions, 4)?).ok()?;
        let content = extensions.get(8..8 + length)?;
        if extensions.starts_with(name) {
            return Some(content);
        }
        extensions = extensions.get(8 + length..)?;
    }
}

/// The root entry of the `TREE` extension. A negative entry count means that git has not computed the tree.
fn parse_root_tree(content: &[u8], hash: usize) -> Option<String> {
    let rest = content.strip_prefix(b"\0")?;
    let line = rest.iter().position(|byte| *byte == b'\n')?;
    if rest.first() == Some(&b'-') {
        return None;
    }
    let id = rest.get(line + 1..line + 1 + hash)?;
    Some(id.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn read_u32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn read_u16(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

/// Decodes git's variable-length offset; each further byte adds one before it shifts.
fn read_offset(bytes: &[u8], at: &mut usize) -> Option<usize> {
    let mut byte = *bytes.get(*at)?;
    *at += 1;
    let mut value = usize::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        byte = *bytes.get(*at)?;
        *at += 1;
        value = value.checked_add(1)?.checked_mul(128)?.checked_add(usize::from(byte & 0x7f))?;
    }
    Some(value)
}
