use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use forge_proc::CaptureError;

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::diff::diff_entry::DiffEntry;
use crate::diff::worktree_diff::{DiffLimits, FileStatus, GitDiff};
use crate::refs::object_id::ObjectId;
use crate::repo::repository::Repo;
use crate::worktree::worktree_handle::Worktree;

/// The space for the list itself, in addition to the patches.
const LIST_BYTES: usize = 16 * 1024 * 1024;

const DIFF_FLAGS: [&str; 9] = [
    "--raw",
    "--numstat",
    "-z",
    "-M",
    "--full-index",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--ignore-submodules=dirty",
];

/// The two states that are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DiffSpan {
    /// Between two commits.
    Commits(ObjectId, ObjectId),
    /// From a commit to the files.
    Files(ObjectId),
}

/// The changed files, sorted by path.
#[derive(Debug, Default)]
pub(crate) struct DiffListing {
    entries: Vec<DiffEntry>,
    /// Whether a limit removed anything.
    truncated: bool,
}

impl Worktree {
    /// Runs one git process for list, counts and patches. If the patches exceed the limit, a second process returns
    /// the list alone.
    pub(crate) async fn list_changes(
        &self,
        span: &DiffSpan,
        patch_bytes: usize,
        paths: Option<&[Vec<u8>]>,
    ) -> Result<DiffListing, GitError> {
        self.list_changes_with_index(span, None, patch_bytes, paths).await
    }

    /// Like [`Worktree::list_changes`], with another index than the agent's.
    pub(crate) async fn list_changes_with_index(
        &self,
        span: &DiffSpan,
        index: Option<&Path>,
        patch_bytes: usize,
        paths: Option<&[Vec<u8>]>,
    ) -> Result<DiffListing, GitError> {
        let command = || {
            let (subcommand, revisions) = match span {
                DiffSpan::Commits(old, new) => {
                    ("diff-tree", vec!["-r", old.as_str(), new.as_str()])
                }
                DiffSpan::Files(old) => ("diff-index", vec![old.as_str()]),
            };
            let command =
                GitCommand::read_worktree(self, subcommand).args(DIFF_FLAGS).args(revisions);
            match index {
                Some(index) => command.with_index(index),
                None => command,
            }
        };
        run_diff(command, patch_bytes, paths.unwrap_or_default()).await
    }
}

impl Repo {
    /// The changes between two commits of the repository.
    pub async fn diff(
        &self,
        old: &ObjectId,
        new: &ObjectId,
        limits: DiffLimits,
    ) -> Result<GitDiff, GitError> {
        let command = || {
            let revisions = ["-r", old.as_str(), new.as_str()];
            GitCommand::read(self, "diff-tree").args(DIFF_FLAGS).args(revisions)
        };
        Ok(run_diff(command, limits.total_bytes, &[]).await?.into_diff(limits))
    }
}

async fn run_diff(
    command: impl Fn() -> GitCommand,
    patch_bytes: usize,
    paths: &[Vec<u8>],
) -> Result<DiffListing, GitError> {
    let names = || paths.iter().map(|path| OsStr::from_bytes(path));
    let whole = command().args(["-p", "--"]).args(names());
    match whole.output_limit(patch_bytes.saturating_add(LIST_BYTES)).run().await {
        Ok(output) => Ok(DiffListing { entries: DiffEntry::parse_all(&output)?, truncated: false }),
        Err(GitError::Process(CaptureError::TooMuchOutput { .. })) => {
            let output = command().arg("--").args(names()).run().await?;
            Ok(DiffListing { entries: DiffEntry::parse_all(&output)?, truncated: true })
        }
        Err(error) => Err(error),
    }
}

impl DiffListing {
    /// The paths of deleted files.
    pub(crate) fn deleted_paths(&self) -> impl Iterator<Item = &[u8]> {
        let gone = self.entries.iter().filter(|entry| entry.status == FileStatus::Deleted);
        gone.map(|entry| entry.path.as_slice())
    }

    pub(crate) fn set_truncated(&mut self) {
        self.truncated = true;
    }

    /// Replaces the entries of all paths that another listing covers by the entries of that listing.
    pub(crate) fn merge_from(mut self, other: Self) -> Self {
        let covered: HashSet<&[u8]> = other.entries.iter().flat_map(DiffEntry::paths).collect();
        self.entries.retain(|entry| !covered.contains(entry.path.as_slice()));
        self.entries.extend(other.entries);
        self.entries.sort_by(|one, two| one.path.cmp(&two.path));
        self.truncated |= other.truncated;
        self
    }

    /// Converts the listing to a diff within the limits.
    pub(crate) fn into_diff(mut self, limits: DiffLimits) -> GitDiff {
        let mut diff = GitDiff {
            truncated: self.truncated || self.entries.len() > limits.files,
            ..GitDiff::default()
        };
        self.entries.truncate(limits.files);
        if self.entries.iter().map(DiffEntry::patch_bytes).sum::<usize>() > limits.total_bytes {
            self.entries.iter_mut().for_each(DiffEntry::drop_patch);
        }
        for entry in self.entries {
            let file = entry.into_file_diff(limits.file_bytes);
            diff.truncated |= file.truncated;
            diff.files.push(file);
        }
        diff
    }
}
