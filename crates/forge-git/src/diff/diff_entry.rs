use crate::command::git_error::GitError;
use crate::diff::worktree_diff::{DiffPath, FileDiff, FileStatus};

/// One changed file from git's list, with its patch if one was requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DiffEntry {
    pub(crate) status: FileStatus,
    pub(crate) path: Vec<u8>,
    old_path: Option<Vec<u8>>,
    same_mode: bool,
    lines: LineCounts,
    /// How many `diff --git` sections git prints for this file.
    sections: usize,
    patch: Option<Vec<u8>>,
}

/// The line counts that git reports for a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineCounts {
    /// Git lists no counts for the file.
    NotListed,
    /// A binary file.
    Binary,
    /// Added and removed lines.
    Counted(u64, u64),
}

impl DiffEntry {
    /// Parses the output of `--raw --numstat [-p] -z`: the list, the counts, an empty field, the patches.
    pub(crate) fn parse_all(output: &[u8]) -> Result<Vec<Self>, GitError> {
        let unexpected = || GitError::unexpected("diff", output);
        let mut fields = NulFields(output);
        let mut entries: Vec<Self> = Vec::new();
        while fields.0.starts_with(b":") {
            let entry = Self::parse(&mut fields).ok_or_else(unexpected)?;
            // Git lists a conflicting file a second time with its difference; keep one entry.
            match entries.last_mut() {
                Some(last) if last.path == entry.path && last.status == FileStatus::Unmerged => {
                    last.sections += entry.sections;
                }
                _ => entries.push(entry),
            }
        }
        let mut counts = std::collections::HashMap::new();
        while let Some(field) = fields.next().filter(|field| !field.is_empty()) {
            let (path, lines) = parse_counts(field, &mut fields).ok_or_else(unexpected)?;
            counts.insert(path, lines);
        }
        for entry in &mut entries {
            entry.lines = counts.get(entry.path.as_slice()).copied().unwrap_or(entry.lines);
        }
        // Only the file's date changed: git lists the file without a difference.
        entries.retain(|entry| {
            !(entry.lines == LineCounts::NotListed
                && entry.status == FileStatus::Modified
                && entry.same_mode)
        });
        attach_patches(&mut entries, fields.0);
        Ok(entries)
    }

    fn parse(fields: &mut NulFields<'_>) -> Option<Self> {
        let mut words = fields.next()?.split(|byte| *byte == b' ');
        let old_mode = words.next()?.strip_prefix(b":")?;
        let same_mode = words.next()? == old_mode;
        let first = fields.next()?.to_vec();
        let status = match words.nth(2)?.first()? {
            b'A' => FileStatus::Added,
            b'D' => FileStatus::Deleted,
            b'M' => FileStatus::Modified,
            b'R' | b'C' => FileStatus::Renamed,
            b'T' => FileStatus::TypeChanged,
            b'U' => FileStatus::Unmerged,
            _ => return None,
        };
        let (path, old_path) = if status == FileStatus::Renamed {
            (fields.next()?.to_vec(), Some(first))
        } else {
            (first, None)
        };
        let sections = match status {
            FileStatus::Unmerged => 0,
            // Git prints a type change as a removal and an addition.
            FileStatus::TypeChanged => 2,
            _ => 1,
        };
        let lines = LineCounts::NotListed;
        Some(Self { status, path, old_path, same_mode, lines, sections, patch: None })
    }

    fn has_text(&self) -> bool {
        matches!(self.lines, LineCounts::Counted(..)) && self.status != FileStatus::Unmerged
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &[u8]> {
        [Some(self.path.as_slice()), self.old_path.as_deref()].into_iter().flatten()
    }

    pub(crate) fn patch_bytes(&self) -> usize {
        self.patch.as_ref().map_or(0, Vec::len)
    }

    pub(crate) fn drop_patch(&mut self) {
        self.patch = None;
    }

    pub(crate) fn into_file_diff(self, limit: usize) -> FileDiff {
        let text = self.has_text();
        let shown = self.patch.as_ref().filter(|patch| text && patch.len() <= limit);
        let (additions, deletions) = match self.lines {
            LineCounts::Counted(additions, deletions) => (additions, deletions),
            LineCounts::NotListed | LineCounts::Binary => (0, 0),
        };
        FileDiff {
            path: DiffPath::new(&self.path),
            old_path: self.old_path.as_deref().map(DiffPath::new),
            status: self.status,
            binary: self.lines == LineCounts::Binary && self.status != FileStatus::Unmerged,
            additions,
            deletions,
            truncated: text && shown.is_none(),
            patch: shown.map(|patch| String::from_utf8_lossy(patch).into_owned()),
        }
    }
}

/// Iterates over fields that end with NUL.
struct NulFields<'a>(&'a [u8]);

impl<'a> Iterator for NulFields<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let end = self.0.iter().position(|byte| *byte == 0)?;
        let (field, rest) = self.0.split_at_checked(end)?;
        self.0 = rest.get(1..)?;
        Some(field)
    }
}

fn parse_counts<'a>(field: &'a [u8], more: &mut NulFields<'a>) -> Option<(&'a [u8], LineCounts)> {
    let mut parts = field.splitn(3, |byte| *byte == b'\t');
    let number = |part: &[u8]| std::str::from_utf8(part).ok()?.parse::<u64>().ok();
    let (added, removed) = (number(parts.next()?), number(parts.next()?));
    let mut path = parts.next()?;
    if path.is_empty() {
        more.next()?;
        path = more.next()?;
    }
    let lines = added.zip(removed);
    Some((
        path,
        lines.map_or(LineCounts::Binary, |(added, removed)| LineCounts::Counted(added, removed)),
    ))
}

/// Splits the patches at each `diff --git` line. Content lines begin with a space, `+`, `-` or `\`, so none of them
/// can look like such a line.
fn attach_patches(entries: &mut [DiffEntry], patches: &[u8]) {
    let mut sections: Vec<Vec<u8>> = Vec::new();
    for line in patches.split_inclusive(|byte| *byte == b'\n') {
        if line.starts_with(b"* Unmerged path ") {
            continue;
        }
        if line.starts_with(b"diff --git ") || line.starts_with(b"diff --cc ") {
            sections.push(Vec::new());
        }
        if let Some(section) = sections.last_mut() {
            section.extend_from_slice(line);
        }
    }
    let mut sections = sections.into_iter();
    for entry in entries {
        let mine: Vec<_> = sections.by_ref().take(entry.sections).collect();
        entry.patch = (!mine.is_empty()).then(|| mine.concat());
    }
}
