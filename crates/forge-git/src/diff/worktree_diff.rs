use serde::{Deserialize, Serialize};

use crate::command::git_error::GitError;
use crate::diff::diff_listing::{DiffListing, DiffSpan};
use crate::fs::file_stamp::FileStamp;
use crate::refs::object_id::ObjectId;
use crate::worktree::special_file::run_with_special_file_check;
use crate::worktree::worktree_handle::Worktree;

/// Which changes of a worktree a diff covers (W-16).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiffScope {
    /// From the last commit to the files, untracked files included.
    Uncommitted,
    /// From the base to the last commit.
    Branch,
    /// From the base to the files, untracked files included.
    #[default]
    All,
}

/// Size limits of a diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiffLimits {
    /// The diff omits files beyond this number.
    pub files: usize,
    /// A file with a longer patch is listed without it.
    pub file_bytes: usize,
    /// The total size of all patches. If they are longer, all files are listed without patches.
    pub total_bytes: usize,
}

impl Default for DiffLimits {
    fn default() -> Self {
        Self { files: 1000, file_bytes: 512 * 1024, total_bytes: 8 * 1024 * 1024 }
    }
}

/// How a file changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileStatus {
    Added,
    Deleted,
    /// The content or mode changed.
    Modified,
    /// The file was moved, and possibly edited.
    Renamed,
    /// The file type changed, for example from a regular file to a symlink.
    TypeChanged,
    /// A merge left the file in conflict.
    Unmerged,
}

/// A path from the top level of the repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffPath {
    /// The path, with replacement characters where it is not UTF-8.
    pub text: String,
    /// The exact bytes, if they are not UTF-8.
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
    /// The current path, or the last one of a deleted file.
    pub path: DiffPath,
    /// The path before a rename.
    pub old_path: Option<DiffPath>,
    pub status: FileStatus,
    /// Binary files are listed without a patch.
    pub binary: bool,
    pub additions: u64,
    pub deletions: u64,
    /// The patch; `None` for binary files and for patches over the limit.
    pub patch: Option<String>,
    /// Whether a limit removed the patch.
    pub truncated: bool,
}

impl FileDiff {
    /// The current and the old path as raw bytes.
    pub(crate) fn raw_paths(&self) -> impl Iterator<Item = Vec<u8>> {
        let both = [Some(&self.path), self.old_path.as_ref()].into_iter().flatten();
        both.map(|path| path.raw.clone().unwrap_or_else(|| path.text.clone().into_bytes()))
    }
}

/// The changes between two states of a repository.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GitDiff {
    pub files: Vec<FileDiff>,
    /// Whether a limit removed anything.
    pub truncated: bool,
}

impl GitDiff {
    /// Joins all patches into one text, with a comment line for each omitted one.
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

/// How often the comparison is repeated when the index was replaced meanwhile.
const MAX_ATTEMPTS: usize = 3;

impl Worktree {
    /// The changes since `base` (the merge base with the target) or since the last commit. The agent's own index is
    /// neither changed nor locked.
    pub async fn diff(
        &self,
        base: &ObjectId,
        scope: DiffScope,
        limits: DiffLimits,
    ) -> Result<GitDiff, GitError> {
        let head = match scope {
            DiffScope::All => None,
            DiffScope::Branch | DiffScope::Uncommitted => Some(self.head().await?),
        };
        let span = match (scope, head) {
            (DiffScope::Branch, Some(head)) => DiffSpan::Commits(base.clone(), head),
            (DiffScope::Uncommitted, Some(head)) => DiffSpan::Files(head),
            _ => DiffSpan::Files(base.clone()),
        };
        self.diff_span(&span, limits, None).await
    }

    /// The changes over a span, limited to `paths` if they are given.
    pub(crate) async fn diff_span(
        &self,
        span: &DiffSpan,
        limits: DiffLimits,
        paths: Option<&[Vec<u8>]>,
    ) -> Result<GitDiff, GitError> {
        let listing = match span {
            DiffSpan::Commits(..) => self.list_changes(span, limits.total_bytes, paths).await?,
            DiffSpan::Files(base) => self.list_changed_files(base, limits, paths).await?,
        };
        Ok(listing.into_diff(limits))
    }

    /// Compares tracked files while it searches and compares untracked ones, because each of the two walks the whole
    /// worktree. If tracked files are gone, the untracked files are compared again together with them, so that git
    /// can detect renames.
    async fn list_changed_files(
        &self,
        base: &ObjectId,
        limits: DiffLimits,
        paths: Option<&[Vec<u8>]>,
    ) -> Result<DiffListing, GitError> {
        let span = DiffSpan::Files(base.clone());
        let mut looks = 1;
        loop {
            let before = self.index_stamp();
            let lists = Box::pin(async {
                tokio::try_join!(self.list_changes(&span, limits.total_bytes, paths), async {
                    let untracked = self.load_untracked(paths).await?;
                    let announced =
                        self.diff_untracked(base, Vec::new(), &untracked, limits).await?;
                    Ok((untracked, announced))
                })
            });
            let (tracked, (untracked, announced)) = match paths {
                Some(_) => lists.await?,
                None => run_with_special_file_check(self.refuse_special_files(), lists).await?,
            };
            // A file that was added in between would be in neither list.
            if looks < MAX_ATTEMPTS && before != self.index_stamp() {
                looks += 1;
                continue;
            }
            let gone: Vec<&[u8]> = tracked.deleted_paths().collect();
            if untracked.is_empty() || gone.is_empty() {
                return Ok(tracked.merge_from(announced));
            }
            let announced = self.diff_untracked(base, gone, &untracked, limits).await?;
            return Ok(tracked.merge_from(announced));
        }
    }

    fn index_stamp(&self) -> Option<FileStamp> {
        FileStamp::of(&self.git_dir().join("index"))
    }
}
