use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::diff::{DiffPath, FileDiff, FileStatus};
use crate::error::GitError;

/// One file of `--raw --numstat -z`.
#[derive(Debug)]
pub(crate) struct Entry {
    status: FileStatus,
    path: Vec<u8>,
    old_path: Option<Vec<u8>>,
    lines: Option<(u64, u64)>,
}

impl Entry {
    pub(crate) fn parse_all(list: &[u8]) -> Result<Vec<Self>, GitError> {
        let unexpected = || GitError::unexpected("diff", list);
        let mut fields = list.split(|byte| *byte == 0).peekable();
        let mut entries: Vec<Self> = Vec::new();
        while let Some(header) = fields.next_if(|field| field.starts_with(b":")) {
            let first = fields.next().ok_or_else(unexpected)?.to_vec();
            let mut words = header.split(|byte| *byte == b' ');
            let status = words.nth(4).and_then(|word| word.first()).ok_or_else(unexpected)?;
            let status = match status {
                b'A' => FileStatus::Added,
                b'D' => FileStatus::Deleted,
                b'M' => FileStatus::Modified,
                b'R' | b'C' => FileStatus::Renamed,
                b'T' => FileStatus::TypeChanged,
                b'U' => FileStatus::Unmerged,
                _ => return Err(unexpected()),
            };
            let (path, old_path) = if status == FileStatus::Renamed {
                (fields.next().ok_or_else(unexpected)?.to_vec(), Some(first))
            } else {
                (first, None)
            };
            // A file in conflict is listed a second time with its difference; once is enough.
            if entries
                .last()
                .is_some_and(|last| last.path == path && last.status == FileStatus::Unmerged)
            {
                continue;
            }
            entries.push(Self { status, path, old_path, lines: None });
        }
        let counts = counts(fields).ok_or_else(unexpected)?;
        for entry in &mut entries {
            entry.lines = counts.get(entry.path.as_slice()).copied().flatten();
        }
        Ok(entries)
    }

    pub(crate) fn has_text(&self) -> bool {
        self.lines.is_some() && self.status != FileStatus::Unmerged
    }

    /// How many `diff --git` sections git prints for it: a file that became a symlink is removed and added.
    pub(crate) fn sections(&self) -> usize {
        if self.status == FileStatus::TypeChanged { 2 } else { 1 }
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &OsStr> {
        let both = [Some(self.path.as_slice()), self.old_path.as_deref()];
        both.into_iter().flatten().map(OsStr::from_bytes)
    }

    pub(crate) fn into_file(self, patch: Option<&[u8]>, limit: usize) -> FileDiff {
        let text = self.has_text();
        let unmerged = self.status == FileStatus::Unmerged;
        let (additions, deletions) = self.lines.unwrap_or_default();
        let shown = patch.filter(|patch| text && patch.len() <= limit);
        FileDiff {
            path: DiffPath::new(&self.path),
            old_path: self.old_path.as_deref().map(DiffPath::new),
            status: self.status,
            binary: self.lines.is_none() && !unmerged,
            additions,
            deletions,
            truncated: text && shown.is_none(),
            patch: shown.map(|patch| String::from_utf8_lossy(patch).into_owned()),
        }
    }
}

/// Lines added and removed per path; `None` for binary files.
type Counts<'a> = HashMap<&'a [u8], Option<(u64, u64)>>;

fn counts<'a>(mut fields: impl Iterator<Item = &'a [u8]>) -> Option<Counts<'a>> {
    let mut found = HashMap::new();
    while let Some(field) = fields.next() {
        if field.is_empty() {
            continue;
        }
        let mut parts = field.splitn(3, |byte| *byte == b'\t');
        let number = |part: &[u8]| std::str::from_utf8(part).ok()?.parse::<u64>().ok();
        let added = number(parts.next()?);
        let removed = number(parts.next()?);
        let mut path = parts.next()?;
        if path.is_empty() {
            fields.next()?;
            path = fields.next()?;
        }
        found.insert(path, added.zip(removed));
    }
    Some(found)
}
