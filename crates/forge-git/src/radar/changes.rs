use std::collections::HashMap;

use crate::command::Command;
use crate::error::GitError;
use crate::object_id::ObjectId;
use crate::repo::Repo;

/// A side that changed more is not compared path by path: whether it clashes is git's to find out.
const MOST_PATHS: usize = 20_000;
/// One process compares so many.
const AT_ONCE: usize = 512;

/// What was changed since a commit.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    /// The paths, sorted, each with a zero byte in the place of a slash: so what lies in a directory comes right after
    /// it, before any other name that begins alike.
    paths: Vec<Vec<u8>>,
    adds: bool,
    deletes: bool,
    too_many: bool,
}

impl Changes {
    /// Whether merging the two is certain to succeed. Where no path is changed by both, and none lies in the place of a
    /// directory of the other, git takes every path from the one side that changed it. What could still come between is
    /// git finding that a file or a directory was renamed: a file that was renamed is a path that was deleted, and
    /// whoever touched it has changed the same path; but a file that is new in a directory that the other one moved
    /// is a clash, with no path in common.
    pub(super) fn cannot_clash(&self, other: &Self) -> bool {
        if self.too_many || other.too_many {
            return false;
        }
        let moves = |one: &Self| one.adds && one.deletes;
        if (moves(self) && other.adds) || (moves(other) && self.adds) {
            return false;
        }
        !meets(&self.paths, &other.paths)
    }

    fn close(&mut self) {
        self.paths.sort_unstable();
    }

    fn add(&mut self, entry: &[u8], path: &[u8]) {
        match entry.last() {
            Some(b'A') => self.adds = true,
            Some(b'D') => self.deletes = true,
            Some(b'M' | b'T') => {}
            // A word that we do not know may stand for anything.
            _ => self.too_many = true,
        }
        if self.paths.len() >= MOST_PATHS {
            self.too_many = true;
        } else {
            let key = path.iter().map(|byte| if *byte == b'/' { 0 } else { *byte });
            self.paths.push(key.collect());
        }
    }
}

/// Whether two sorted lists have a path in common, or one that lies beneath one of the other.
fn meets(one: &[Vec<u8>], other: &[Vec<u8>]) -> bool {
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    while let (Some(left), Some(right)) = (one.peek(), other.peek()) {
        if is_beneath(left, right) || is_beneath(right, left) {
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

fn is_beneath(path: &[u8], above: &[u8]) -> bool {
    path.strip_prefix(above).is_some_and(|rest| matches!(rest.first(), None | Some(0)))
}

/// What each of these commits changed since its base, by one process for many: `(base, content)`.
pub(super) async fn load(
    repo: &Repo,
    wanted: &[(ObjectId, ObjectId)],
) -> Result<HashMap<(ObjectId, ObjectId), Changes>, GitError> {
    let mut found = HashMap::new();
    for wanted in wanted.chunks(AT_ONCE) {
        let input: String =
            wanted.iter().map(|(base, content)| format!("{content} {base}\n")).collect();
        let list = Command::background(repo, "diff-tree")
            .args(["--stdin", "-r", "-z", "--raw", "--no-renames", "--always"])
            .args(["--ignore-submodules=none", "--no-ext-diff", "--no-textconv"])
            .input(input)
            .run()
            .await?;
        let read = parse(&list);
        if read.len() != wanted.len() {
            return Err(GitError::unexpected("diff-tree", &list));
        }
        found.extend(wanted.iter().cloned().zip(read));
    }
    Ok(found)
}

/// Each comparison begins with the commit's id; each path follows a field that begins with a colon.
fn parse(list: &[u8]) -> Vec<Changes> {
    let mut read: Vec<Changes> = Vec::new();
    let mut fields = list.split(|byte| *byte == 0);
    while let Some(field) = fields.next() {
        if field.is_empty() {
            continue;
        }
        if field.first() != Some(&b':') {
            read.push(Changes::default());
        } else if let (Some(changes), Some(path)) = (read.last_mut(), fields.next()) {
            changes.add(field, path);
        }
    }
    read.iter_mut().for_each(Changes::close);
    read
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn changes(list: &[(char, &str)]) -> Changes {
        let mut changes = Changes::default();
        for (kind, path) in list {
            changes.add(format!(":100644 100644 a b {kind}").as_bytes(), path.as_bytes());
        }
        changes.close();
        changes
    }

    #[test]
    fn m_14_only_what_provably_cannot_clash_is_passed_over() {
        type List<'a> = &'a [(char, &'a str)];
        let cases: [(List<'_>, List<'_>, bool); 9] = [
            (&[('M', "a")], &[('M', "b")], true),
            (&[('M', "a")], &[('M', "a")], false),
            (&[('A', "a")], &[('A', "b")], true),
            // A file where the other has a directory, with a name between them in plain order.
            (&[('A', "a"), ('M', "a-b")], &[('A', "a/x")], false),
            (&[('A', "a-b")], &[('A', "a/x")], true),
            // A directory may have moved, and a new file lies in it.
            (&[('D', "old/x"), ('A', "new/x")], &[('A', "old/y")], false),
            (&[('D', "old/x"), ('A', "new/x")], &[('M', "other")], true),
            (&[('D', "old/x"), ('A', "new/x")], &[('D', "old/y")], true),
            (&[], &[('M', "a")], true),
        ];
        for (one, other, expected) in cases {
            let (one, other) = (changes(one), changes(other));
            assert_eq!(one.cannot_clash(&other), expected, "{one:?} {other:?}");
            assert_eq!(other.cannot_clash(&one), expected, "{other:?} {one:?}");
        }
    }

    #[test]
    fn m_14_too_many_paths_are_left_to_git() {
        let many: Vec<String> = (0..=MOST_PATHS).map(|number| format!("f{number}")).collect();
        let many: Vec<_> = many.iter().map(|path| ('M', path.as_str())).collect();
        assert!(!changes(&many).cannot_clash(&changes(&[('M', "elsewhere")])));
    }
}
