use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use forge_proc::CaptureError;

use crate::command::Command;
use crate::diff::{Diff, DiffLimits, FileStatus};
use crate::diff_entry::Entry;
use crate::error::GitError;
use crate::object_id::ObjectId;
use crate::repo::Repo;
use crate::worktree::Worktree;

/// Room for the list itself beside the patches.
const LIST_BYTES: usize = 16 * 1024 * 1024;

const FLAGS: [&str; 9] = [
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

/// From where to where is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Span {
    /// Between two commits.
    Commits(ObjectId, ObjectId),
    /// From a commit to the files.
    Files(ObjectId),
}

/// What git listed, in the order of the paths.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    entries: Vec<Entry>,
    /// Something is missing because of a limit.
    truncated: bool,
}

impl Worktree {
    /// List, counts and patches by one process. Where the patches are too many, a second one gives the list alone.
    pub(crate) async fn listing(
        &self,
        span: &Span,
        patch_bytes: usize,
        paths: Option<&[Vec<u8>]>,
    ) -> Result<Listing, GitError> {
        self.listing_by(span, None, patch_bytes, paths).await
    }

    /// The same with another index than the agent's.
    pub(crate) async fn listing_by(
        &self,
        span: &Span,
        index: Option<&Path>,
        patch_bytes: usize,
        paths: Option<&[Vec<u8>]>,
    ) -> Result<Listing, GitError> {
        let command = || {
            let (subcommand, revisions) = match span {
                Span::Commits(old, new) => ("diff-tree", vec!["-r", old.as_str(), new.as_str()]),
                Span::Files(old) => ("diff-index", vec![old.as_str()]),
            };
            let command = Command::read_worktree(self, subcommand).args(FLAGS).args(revisions);
            match index {
                Some(index) => command.index(index),
                None => command,
            }
        };
        list(command, patch_bytes, paths.unwrap_or_default()).await
    }
}

impl Repo {
    /// The changes between two commits, wherever they are.
    pub async fn diff(
        &self,
        old: &ObjectId,
        new: &ObjectId,
        limits: DiffLimits,
    ) -> Result<Diff, GitError> {
        let command = || {
            let revisions = ["-r", old.as_str(), new.as_str()];
            Command::read(self, "diff-tree").args(FLAGS).args(revisions)
        };
        Ok(list(command, limits.total_bytes, &[]).await?.into_diff(limits))
    }
}

async fn list(
    command: impl Fn() -> Command,
    patch_bytes: usize,
    paths: &[Vec<u8>],
) -> Result<Listing, GitError> {
    let names = || paths.iter().map(|path| OsStr::from_bytes(path));
    let whole = command().args(["-p", "--"]).args(names());
    match whole.output_limit(patch_bytes.saturating_add(LIST_BYTES)).run().await {
        Ok(output) => Ok(Listing { entries: Entry::parse_all(&output)?, truncated: false }),
        Err(GitError::Process(CaptureError::TooMuchOutput { .. })) => {
            let output = command().arg("--").args(names()).run().await?;
            Ok(Listing { entries: Entry::parse_all(&output)?, truncated: true })
        }
        Err(error) => Err(error),
    }
}

impl Listing {
    /// The paths that are gone.
    pub(crate) fn gone(&self) -> impl Iterator<Item = &[u8]> {
        let gone = self.entries.iter().filter(|entry| entry.status == FileStatus::Deleted);
        gone.map(|entry| entry.path.as_slice())
    }

    pub(crate) fn set_truncated(&mut self) {
        self.truncated = true;
    }

    /// Puts what another comparison found in the place of what this one had of the same paths.
    pub(crate) fn join(mut self, other: Self) -> Self {
        let covered: HashSet<&[u8]> = other.entries.iter().flat_map(Entry::paths).collect();
        self.entries.retain(|entry| !covered.contains(entry.path.as_slice()));
        self.entries.extend(other.entries);
        self.entries.sort_by(|one, two| one.path.cmp(&two.path));
        self.truncated |= other.truncated;
        self
    }

    /// Cuts it to the limits.
    pub(crate) fn into_diff(mut self, limits: DiffLimits) -> Diff {
        let mut diff = Diff {
            truncated: self.truncated || self.entries.len() > limits.files,
            ..Diff::default()
        };
        self.entries.truncate(limits.files);
        if self.entries.iter().map(Entry::patch_bytes).sum::<usize>() > limits.total_bytes {
            self.entries.iter_mut().for_each(Entry::drop_patch);
        }
        for entry in self.entries {
            let file = entry.into_file(limits.file_bytes);
            diff.truncated |= file.truncated;
            diff.files.push(file);
        }
        diff
    }
}
