//! The changes of a task (SPEC W-16).

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The range of changes that a diff covers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiffScope {
    /// From the last commit to the working tree.
    Uncommitted,
    /// From the merge base to the last commit.
    Branch,
    /// From the merge base to the working tree, untracked files included.
    #[default]
    All,
}

/// The format of a diff.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiffFormat {
    /// JSON: a `DiffView`.
    #[default]
    Json,
    /// A patch for `git apply`.
    Patch,
}

/// Query of a diff.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DiffQuery {
    /// The range of changes.
    #[serde(default)]
    pub scope: DiffScope,
    /// The format of the answer.
    #[serde(default)]
    pub format: DiffFormat,
}

/// Query of a diff stream.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DiffStreamQuery {
    /// The range of changes.
    #[serde(default)]
    pub scope: DiffScope,
}

/// Where a task's changes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiffSource {
    /// In the task's workspace.
    Workspace,
    /// On the target branch, because the task has landed. `base` and `head` are commits of the target.
    Landed,
    /// On the task's branch, or in the archive after the branch was removed.
    Branch,
}

/// The kind of change to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiffChange {
    /// The file is new.
    Added,
    /// The content changed.
    Modified,
    /// The file was removed.
    Deleted,
    /// The file moved; its content may differ.
    Renamed,
    /// The file is a copy of another; its content may differ.
    Copied,
    /// The file type changed, for example to a symbolic link.
    TypeChanged,
}

/// One changed file with its patch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DiffFile {
    /// Path of the file; bytes that are not UTF-8 are replaced.
    pub path: String,
    /// Previous path, if the file was moved or copied.
    #[schema(required)]
    pub old_path: Option<String>,
    /// The kind of change.
    pub change: DiffChange,
    /// Whether the content is binary; binary content is not shown.
    pub binary: bool,
    /// Whether the patch is left out because it is too large.
    pub truncated: bool,
    /// Lines added; `null` for binary files.
    #[schema(required)]
    pub additions: Option<u64>,
    /// Lines removed; `null` for binary files.
    #[schema(required)]
    pub deletions: Option<u64>,
    /// The patch of this file; `null` if left out.
    #[schema(required)]
    pub patch: Option<String>,
}

/// The changes of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DiffView {
    /// The range of changes.
    pub scope: DiffScope,
    /// Where the changes are.
    pub source: DiffSource,
    /// The commit that the changes start from.
    pub base: String,
    /// The commit that the changes end at; `null` for the working tree.
    #[schema(required)]
    pub head: Option<String>,
    /// The changed files, ordered by path.
    pub files: Vec<DiffFile>,
    /// Whether more files changed than are listed.
    pub truncated: bool,
    /// Files that other tasks landed in the meantime and that landing this task would delete. Forge refuses the
    /// landing unless a commit of the branch has the trailer `Forge-Reverts: PATH` for each of them.
    #[serde(default)]
    #[schema(required)]
    pub deletes_landed: Vec<String>,
}

/// One changed file without its patch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DiffStat {
    /// Path of the file; bytes that are not UTF-8 are replaced.
    pub path: String,
    /// Previous path, if the file was moved or copied.
    #[schema(required)]
    pub old_path: Option<String>,
    /// The kind of change.
    pub change: DiffChange,
    /// Whether the content is binary.
    pub binary: bool,
    /// Lines added; `null` for binary files.
    #[schema(required)]
    pub additions: Option<u64>,
    /// Lines removed; `null` for binary files.
    #[schema(required)]
    pub deletions: Option<u64>,
}

/// The current changes of a task: the data of each `diff` event of the stream. The server sends it again whenever the
/// list or a patch changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DiffEvent {
    /// The range of changes.
    pub scope: DiffScope,
    /// Where the changes are.
    pub source: DiffSource,
    /// The commit that the changes start from.
    pub base: String,
    /// The commit that the changes end at; `null` for the working tree.
    #[schema(required)]
    pub head: Option<String>,
    /// The changed files, ordered by path.
    pub files: Vec<DiffStat>,
    /// Whether more files changed than are listed.
    pub truncated: bool,
    /// Whether the stream reports later changes. If `false`, the system cannot watch so many directories: request the
    /// diff again to see changes.
    pub live: bool,
}
