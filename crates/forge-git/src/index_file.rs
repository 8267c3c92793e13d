use std::path::Path;

/// What an index says about its entries that no question to git tells cheaply. Read from the file itself, of any
/// version git writes; a file that is not understood says nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct IndexFile {
    /// Links to other repositories.
    pub(crate) links: Vec<Vec<u8>>,
    /// Entries whose files git was told not to look at.
    pub(crate) unwatched: Vec<Vec<u8>>,
    /// Entries that a merge left in conflict.
    pub(crate) unmerged: Vec<Vec<u8>>,
    /// The tree that the entries make, where the file knows it.
    pub(crate) tree: Option<String>,
    /// Whether other entries stand in another file.
    is_split: bool,
}

const LINK: u32 = 0o160_000;
const ASSUMED_VALID: u16 = 0x8000;
const EXTENDED: u16 = 0x4000;
const STAGE: u16 = 0x3000;
const SKIPPED: u16 = 0x4000;
const STAT: usize = 24;
const STAT_END: usize = 40;

impl IndexFile {
    /// Reads an index; `hash` is the length of an object id in bytes.
    pub(crate) fn read(path: &Path, hash: usize) -> Self {
        std::fs::read(path).ok().and_then(|bytes| Self::parse(&bytes, hash)).unwrap_or_default()
    }

    /// The same, or nothing where the file is not understood or leaves entries to another (a split index).
    pub(crate) fn read_whole(path: &Path, hash: usize) -> Option<Self> {
        let bytes = std::fs::read(path).ok()?;
        Self::parse(&bytes, hash).filter(|found| !found.is_split)
    }

    fn parse(bytes: &[u8], hash: usize) -> Option<Self> {
        let header = bytes.get(..12)?;
        let version = number(header, 4)?;
        if !header.starts_with(b"DIRC") || !(2..=4).contains(&version) {
            return None;
        }
        let mut found = Self::default();
        let mut at = 12;
        let mut name: Vec<u8> = Vec::new();
        for _ in 0..number(header, 8)? {
            let start = at;
            let mode = number(bytes, start + STAT)?;
            let flags = short(bytes, start + STAT_END + hash)?;
            at = start + STAT_END + hash + 2;
            let mut more = 0;
            if flags & EXTENDED != 0 {
                more = short(bytes, at)?;
                at += 2;
            }
            if version == 4 {
                let dropped = variable(bytes, &mut at)?;
                name.truncate(name.len().checked_sub(dropped)?);
            } else {
                name.clear();
            }
            let length = bytes.get(at..)?.iter().position(|byte| *byte == 0)?;
            name.extend_from_slice(bytes.get(at..at + length)?);
            at += length;
            at = if version == 4 { at + 1 } else { start + (at - start + 8) / 8 * 8 };
            if mode == LINK {
                found.links.push(name.clone());
            }
            if flags & ASSUMED_VALID != 0 || more & SKIPPED != 0 {
                found.unwatched.push(name.clone());
            }
            if flags & STAGE != 0 && found.unmerged.last() != Some(&name) {
                found.unmerged.push(name.clone());
            }
        }
        let extensions = bytes.get(at..bytes.len().checked_sub(hash)?)?;
        found.is_split = extension(extensions, b"link").is_some();
        found.tree = extension(extensions, b"TREE").and_then(|content| tree(content, hash));
        Some(found)
    }
}

/// What an extension holds.
fn extension<'a>(mut extensions: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    loop {
        let length = usize::try_from(number(extensions, 4)?).ok()?;
        let content = extensions.get(8..8 + length)?;
        if extensions.starts_with(name) {
            return Some(content);
        }
        extensions = extensions.get(8 + length..)?;
    }
}

/// The first entry of the `TREE` extension is the whole; a negative count means that nobody has worked it out.
fn tree(content: &[u8], hash: usize) -> Option<String> {
    let rest = content.strip_prefix(b"\0")?;
    let line = rest.iter().position(|byte| *byte == b'\n')?;
    if rest.first() == Some(&b'-') {
        return None;
    }
    let id = rest.get(line + 1..line + 1 + hash)?;
    Some(id.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

/// Git's offset encoding, of which every further byte counts from one.
fn variable(bytes: &[u8], at: &mut usize) -> Option<usize> {
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
