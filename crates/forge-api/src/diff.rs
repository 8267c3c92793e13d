//! What a task changed (SPEC W-16).

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Which changes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiffScope {
    /// Last commit → working tree.
    Uncommitted,
    /// Merge base → last commit.
    Branch,
    /// Merge base → working tree, untracked files included.
    #[default]
    All,
}

/// In which form.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiffFormat {
    /// A `Diff`.
    #[default]
    Json,
    /// Text that `git apply` reads.
    Patch,
}

/// Which diff to read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DiffQuery {
    /// Which changes.
    #[serde(default)]
    pub scope: DiffScope,
    /// In which form.
    #[serde(default)]
    pub format: DiffFormat,
}

/// Which changes to follow.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DiffStreamQuery {
    /// Which changes.
    #[serde(default)]
    pub scope: DiffScope,
}

/// Where a task's changes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiffSource {
    /// In its workspace.
    Workspace,
    /// On the target branch: they landed. `base` and `head` are commits of it.
    Landed,
    /// On its branch, or where Forge keeps the commits of one that is done with.
    Branch,
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiffChange {
    /// New.
    Added,
    /// Changed.
    Modified,
    /// Removed.
    Deleted,
    /// Moved, perhaps changed.
    Renamed,
    /// Made from another, perhaps changed.
    Copied,
    /// Became another kind of file, for example a symbolic link.
    TypeChanged,
}

/// One changed file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DiffFile {
    /// Its path; bytes that are not UTF-8 are replaced.
    pub path: String,
    /// Where it was, if it moved or was copied.
    #[schema(required)]
    pub old_path: Option<String>,
    /// What happened to it.
    pub change: DiffChange,
    /// Its content is not text, and so not shown.
    pub binary: bool,
    /// Its patch is left out because it is too large.
    pub truncated: bool,
    /// Lines added; `null` if not text.
    #[schema(required)]
    pub additions: Option<u64>,
    /// Lines removed; `null` if not text.
    #[schema(required)]
    pub deletions: Option<u64>,
    /// The change as text; `null` if left out.
    #[schema(required)]
    pub patch: Option<String>,
}

/// What a task changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Diff {
    /// Which changes.
    pub scope: DiffScope,
    /// Where they are.
    pub source: DiffSource,
    /// The commit they are counted from.
    pub base: String,
    /// The commit they lead to; `null` when that is the working tree.
    #[schema(required)]
    pub head: Option<String>,
    /// The changed files, by path.
    pub files: Vec<DiffFile>,
    /// More changed than is listed.
    pub truncated: bool,
}

/// One changed file without its patch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DiffStat {
    /// Its path; bytes that are not UTF-8 are replaced.
    pub path: String,
    /// Where it was, if it moved or was copied.
    #[schema(required)]
    pub old_path: Option<String>,
    /// What happened to it.
    pub change: DiffChange,
    /// Its content is not text.
    pub binary: bool,
    /// Lines added; `null` if not text.
    #[schema(required)]
    pub additions: Option<u64>,
    /// Lines removed; `null` if not text.
    #[schema(required)]
    pub deletions: Option<u64>,
}

/// What a task has changed by now: the data of each `diff` event of the stream. It comes again whenever anything of it,
/// or of the patches, is another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DiffNews {
    /// Which changes.
    pub scope: DiffScope,
    /// Where they are.
    pub source: DiffSource,
    /// The commit they are counted from.
    pub base: String,
    /// The commit they lead to; `null` when that is the working tree.
    #[schema(required)]
    pub head: Option<String>,
    /// The changed files, by path.
    pub files: Vec<DiffStat>,
    /// More changed than is listed.
    pub truncated: bool,
    /// Changes to come are told. If not, the system cannot watch so many directories: ask again to see them.
    pub live: bool,
}
