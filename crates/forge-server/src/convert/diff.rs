//! What a task changed (W-16).

use forge_api::{Diff, DiffChange, DiffFile, DiffScope};
use forge_engine::{FileDiff, FileStatus, TaskDiff};

/// A diff as clients see it.
pub(crate) fn diff(scope: DiffScope, found: TaskDiff) -> Diff {
    Diff {
        scope,
        base: found.base,
        head: found.head,
        files: found.diff.files.into_iter().map(file).collect(),
        truncated: found.diff.truncated,
    }
}

/// A scope as clients ask for it.
pub(crate) fn asked_scope(scope: DiffScope) -> forge_engine::DiffScope {
    match scope {
        DiffScope::Uncommitted => forge_engine::DiffScope::Uncommitted,
        DiffScope::Branch => forge_engine::DiffScope::Branch,
        DiffScope::All => forge_engine::DiffScope::All,
    }
}

pub(crate) fn file(file: FileDiff) -> DiffFile {
    DiffFile {
        path: file.path.text,
        old_path: file.old_path.map(|path| path.text),
        change: match file.status {
            FileStatus::Added => DiffChange::Added,
            FileStatus::Deleted => DiffChange::Deleted,
            // The wire has no word for a conflict yet; the file did change.
            FileStatus::Modified | FileStatus::Unmerged => DiffChange::Modified,
            FileStatus::Renamed => DiffChange::Renamed,
            FileStatus::TypeChanged => DiffChange::TypeChanged,
        },
        binary: file.binary,
        truncated: file.truncated,
        additions: (!file.binary).then_some(file.additions),
        deletions: (!file.binary).then_some(file.deletions),
        patch: file.patch,
    }
}
