use std::collections::HashMap;

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::refs::object_id::ObjectId;
use crate::repo::repository::Repo;

/// A side with more changed paths is not compared by path; git merges it.
const MAX_PATHS: usize = 20_000;
/// How many comparisons one git process makes.
const BATCH_SIZE: usize = 512;

/// The changes since a commit.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct PathChanges {
    /// The sorted paths, with a zero byte in place of each slash, so that the content of a directory comes right
    /// after it and before other names with the same beginning.
    paths: Vec<Vec<u8>>,
    adds: bool,
    deletes: bool,
    too_many: bool,
}

impl PathChanges {
    /// Whether a merge of the two is certain to succeed. If no path is changed by both sides, and no path of one side
    /// is a directory of the other, git takes every path from the side that changed it. The remaining risk is rename
    /// detection: a renamed file is a deleted path, and a side that touched it has changed the same path; but a new
    /// file in a directory that the other side moved conflicts without a common path.
    pub(crate) fn cannot_conflict(&self, other: &Self) -> bool {
        if self.too_many || other.too_many {
            return false;
        }
        if (self.may_rename() && other.adds) || (other.may_rename() && self.adds) {
            return false;
        }
        !paths_overlap(&self.paths, &other.paths)
    }

    /// Whether these changes can cause a conflict at this path: they changed the path, a parent of it, or a path
    /// below it.
    pub(crate) fn touches(&self, path: &str) -> bool {
        let key: Vec<u8> = path.bytes().map(|byte| if byte == b'/' { 0 } else { byte }).collect();
        self.too_many || self.paths.iter().any(|own| is_below(own, &key) || is_below(&key, own))
    }

    /// Whether a file or a directory may have been renamed.
    pub(crate) fn may_rename(&self) -> bool {
        self.too_many || (self.adds && self.deletes)
    }

    fn sort_paths(&mut self) {
        self.paths.sort_unstable();
    }

    fn add(&mut self, entry: &[u8], path: &[u8]) {
        match entry.last() {
            Some(b'A') => self.adds = true,
            Some(b'D') => self.deletes = true,
            Some(b'M' | b'T') => {}
            // An unknown status may mean anything.
            _ => self.too_many = true,
        }
        if self.paths.len() >= MAX_PATHS {
            self.too_many = true;
        } else {
            let key = path.iter().map(|byte| if *byte == b'/' { 0 } else { *byte });
            self.paths.push(key.collect());
        }
    }
}

/// Whether two sorted lists share a path, or one contains a path below a path of the other.
fn paths_overlap(one: &[Vec<u8>], other: &[Vec<u8>]) -> bool {
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    while let (Some(left), Some(right)) = (one.peek(), other.peek()) {
        if is_below(left, right) || is_below(right, left) {
            return true;
        }
        if left < right {
            one.next();
        } else {
            other.next();
        }
    }
    false
}

fn is_below(path: &[u8], above: &[u8]) -> bool {
    path.strip_prefix(above).is_some_and(|rest| matches!(rest.first(), None | Some(0)))
}

/// The changes of each commit since its base, `(base, content)`, many with one git process.
pub(crate) async fn load_changes(
    repo: &Repo,
    wanted: &[(ObjectId, ObjectId)],
) -> Result<HashMap<(ObjectId, ObjectId), PathChanges>, GitError> {
    let mut found = HashMap::new();
    for wanted in wanted.chunks(BATCH_SIZE) {
        let input: String =
            wanted.iter().map(|(base, content)| format!("{content} {base}\n")).collect();
        let list = GitCommand::read_in_background(repo, "diff-tree")
            .args(["--stdin", "-r", "-z", "--raw", "--no-renames", "--always"])
            .args(["--ignore-submodules=none", "--no-ext-diff", "--no-textconv"])
            .input(input)
            .run()
            .await?;
        let read = parse_changes(&list);
        if read.len() != wanted.len() {
            return Err(GitError::unexpected("diff-tree", &list));
        }
        found.extend(wanted.iter().cloned().zip(read));
    }
    Ok(found)
}

/// Each comparison begins with the commit's id; each path follows a field that begins with a colon.
fn parse_changes(list: &[u8]) -> Vec<PathChanges> {
    let mut read: Vec<PathChanges> = Vec::new();
    let mut fields = list.split(|byte| *byte == 0);
    while let Some(field) = fields.next() {
        if field.is_empty() {
            continue;
        }
        if field.first() != Some(&b':') {
            read.push(PathChanges::default());
        } else if let (Some(changes), Some(path)) = (read.last_mut(), fields.next()) {
            changes.add(field, path);
        }
    }
    read.iter_mut().for_each(PathChanges::sort_paths);
    read
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn changes(list: &[(char, &str)]) -> PathChanges {
        let mut changes = PathChanges::default();
        for (kind, path) in list {
            changes.add(format!(":100644 100644 a b {kind}").as_bytes(), path.as_bytes());
        }
        changes.sort_paths();
        changes
    }

    #[test]
    fn m_14_only_pairs_that_provably_cannot_conflict_are_skipped() {
        type List<'a> = &'a [(char, &'a str)];
        let cases: [(List<'_>, List<'_>, bool); 9] = [
            (&[('M', "a")], &[('M', "b")], true),
            (&[('M', "a")], &[('M', "a")], false),
            (&[('A', "a")], &[('A', "b")], true),
            // A file where the other side has a directory, with a name that sorts between them.
            (&[('A', "a"), ('M', "a-b")], &[('A', "a/x")], false),
            (&[('A', "a-b")], &[('A', "a/x")], true),
            // A directory may have moved, and the other side adds a file in it.
            (&[('D', "old/x"), ('A', "new/x")], &[('A', "old/y")], false),
            (&[('D', "old/x"), ('A', "new/x")], &[('M', "other")], true),
            (&[('D', "old/x"), ('A', "new/x")], &[('D', "old/y")], true),
            (&[], &[('M', "a")], true),
        ];
        for (one, other, expected) in cases {
            let (one, other) = (changes(one), changes(other));
            assert_eq!(one.cannot_conflict(&other), expected, "{one:?} {other:?}");
            assert_eq!(other.cannot_conflict(&one), expected, "{other:?} {one:?}");
        }
    }

    #[test]
    fn m_14_too_many_paths_are_left_to_git() {
        let many: Vec<String> = (0..=MAX_PATHS).map(|number| format!("f{number}")).collect();
        let many: Vec<_> = many.iter().map(|path| ('M', path.as_str())).collect();
        assert!(!changes(&many).cannot_conflict(&changes(&[('M', "elsewhere")])));
    }
}
