use serde::{Deserialize, Serialize};

use crate::diff_listing::{Listing, Span};
use crate::error::GitError;
use crate::object_id::ObjectId;
use crate::stamp::Stamp;
use crate::worktree::Worktree;

/// Which changes of a worktree are asked for (W-16).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiffScope {
    /// From the last commit to the files, untracked ones included.
    Uncommitted,
    /// From the base to the last commit.
    Branch,
    /// From the base to the files, untracked ones included.
    #[default]
    All,
}

/// How much of a diff is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiffLimits {
    /// Files beyond this are left out.
    pub files: usize,
    /// A file with a longer patch is named without it.
    pub file_bytes: usize,
    /// All patches together; when they are longer, files are named without their patches.
    pub total_bytes: usize,
}

impl Default for DiffLimits {
    fn default() -> Self {
        Self { files: 1000, file_bytes: 512 * 1024, total_bytes: 8 * 1024 * 1024 }
    }
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileStatus {
    /// It is new.
    Added,
    /// It is gone.
    Deleted,
    /// Its content or mode changed.
    Modified,
    /// It was moved, and possibly changed.
    Renamed,
    /// It became something else: a file a symlink, for instance.
    TypeChanged,
    /// A merge left it in conflict.
    Unmerged,
}

/// A path from the top level of the repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffPath {
    /// The path, with replacement characters where it is not UTF-8.
    pub text: String,
    /// The exact bytes, when they are not UTF-8.
    pub raw: Option<Vec<u8>>,
}

impl DiffPath {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self { text: text.to_owned(), raw: None },
            Err(_) => Self {
                text: String::from_utf8_lossy(bytes).into_owned(),
                raw: Some(bytes.to_vec()),
            },
        }
    }
}

/// The change of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileDiff {
    /// Where it is now, or was before it was deleted.
    pub path: DiffPath,
    /// Where it was before it was moved.
    pub old_path: Option<DiffPath>,
    /// What happened.
    pub status: FileStatus,
    /// Not text: named, never shown.
    pub binary: bool,
    /// Lines added.
    pub additions: u64,
    /// Lines removed.
    pub deletions: u64,
    /// The patch; `None` for binary and for too large ones.
    pub patch: Option<String>,
    /// The patch is left out because of a limit.
    pub truncated: bool,
}

impl FileDiff {
    /// Where it is and was, byte by byte.
    pub(crate) fn raw_paths(&self) -> impl Iterator<Item = Vec<u8>> {
        let both = [Some(&self.path), self.old_path.as_ref()].into_iter().flatten();
        both.map(|path| path.raw.clone().unwrap_or_else(|| path.text.clone().into_bytes()))
    }
}

/// The changes of a worktree.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Diff {
    /// File by file.
    pub files: Vec<FileDiff>,
    /// Something was left out because of a limit.
    pub truncated: bool,
}

impl Diff {
    /// All patches as one text, with a line for each that is left out.
    pub fn to_patch(&self) -> String {
        let mut text = String::new();
        for file in &self.files {
            match &file.patch {
                Some(patch) => text.push_str(patch),
                None => {
                    text.push_str(&format!("# {} is not shown\n", file.path.text.escape_debug()))
                }
            }
        }
        if self.truncated {
            text.push_str("# the diff is truncated\n");
        }
        text
    }
}

/// How many lists are compared anew because the index was replaced in between.
const MOST_LOOKS: usize = 3;

impl Worktree {
    /// The changes since `base` (the merge base with the target) or since the last commit. The agent's own index is
    /// neither changed nor locked.
    pub async fn diff(
        &self,
        base: &ObjectId,
        scope: DiffScope,
        limits: DiffLimits,
    ) -> Result<Diff, GitError> {
        let head = match scope {
            DiffScope::All => None,
            DiffScope::Branch | DiffScope::Uncommitted => Some(self.head().await?),
        };
        let span = match (scope, head) {
            (DiffScope::Branch, Some(head)) => Span::Commits(base.clone(), head),
            (DiffScope::Uncommitted, Some(head)) => Span::Files(head),
            _ => Span::Files(base.clone()),
        };
        self.compare(&span, limits, None).await
    }

    /// The changes over a span; of these paths only, where they are given.
    pub(crate) async fn compare(
        &self,
        span: &Span,
        limits: DiffLimits,
        paths: Option<&[Vec<u8>]>,
    ) -> Result<Diff, GitError> {
        let listing = match span {
            Span::Commits(..) => self.listing(span, limits.total_bytes, paths).await?,
            Span::Files(base) => self.listing_of_files(base, limits, paths).await?,
        };
        Ok(listing.into_diff(limits))
    }

    /// Tracked files are compared while untracked ones are looked for: each walks the whole worktree, and neither needs
    /// what the other finds.
    async fn listing_of_files(
        &self,
        base: &ObjectId,
        limits: DiffLimits,
        paths: Option<&[Vec<u8>]>,
    ) -> Result<Listing, GitError> {
        let span = Span::Files(base.clone());
        let mut looks = 1;
        loop {
            let before = self.index_stamp();
            let (tracked, untracked) = tokio::join!(
                self.listing(&span, limits.total_bytes, paths),
                self.load_untracked(paths)
            );
            let (tracked, untracked) = (tracked?, untracked?);
            // What was added in between would be in neither list.
            if looks < MOST_LOOKS && before != self.index_stamp() {
                looks += 1;
                continue;
            }
            if untracked.is_empty() {
                return Ok(tracked);
            }
            let announced = self.announce(base, &tracked, untracked, limits).await?;
            return Ok(tracked.join(announced));
        }
    }

    fn index_stamp(&self) -> Option<Stamp> {
        Stamp::of(&self.git_dir().join("index"))
    }
}
