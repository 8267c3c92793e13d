//! Converts the changes of a task (W-16).

use forge_api::{DiffChange, DiffEvent, DiffFile, DiffScope, DiffSource, DiffStat, DiffView};
use forge_engine::{FileDiff, FileStatus, TaskDiff};

/// Converts a diff to the wire type.
pub(crate) fn diff(scope: DiffScope, found: TaskDiff) -> DiffView {
    DiffView {
        scope,
        source: source(found.source),
        base: found.base,
        head: found.head,
        files: found.diff.files.into_iter().map(file).collect(),
        truncated: found.diff.truncated,
        deletes_landed: found.deletes_landed,
    }
}

/// Converts a diff scope from the wire type.
pub(crate) fn engine_scope(scope: DiffScope) -> forge_engine::DiffScope {
    match scope {
        DiffScope::Uncommitted => forge_engine::DiffScope::Uncommitted,
        DiffScope::Branch => forge_engine::DiffScope::Branch,
        DiffScope::All => forge_engine::DiffScope::All,
    }
}

/// Converts one update of a diff stream.
pub(crate) fn diff_event(scope: DiffScope, found: forge_engine::TaskDiffUpdate) -> DiffEvent {
    let forge_engine::TaskDiffUpdate { diff, live } = found;
    DiffEvent {
        scope,
        source: source(diff.source),
        base: diff.base,
        head: diff.head,
        files: diff.diff.files.into_iter().map(stat).collect(),
        truncated: diff.diff.truncated,
        live,
    }
}

fn source(source: forge_engine::TaskDiffSource) -> DiffSource {
    match source {
        forge_engine::TaskDiffSource::Workspace => DiffSource::Workspace,
        forge_engine::TaskDiffSource::Landed => DiffSource::Landed,
        forge_engine::TaskDiffSource::Branch => DiffSource::Branch,
    }
}

fn change(status: FileStatus) -> DiffChange {
    match status {
        FileStatus::Added => DiffChange::Added,
        FileStatus::Deleted => DiffChange::Deleted,
        // The wire has no value for a conflict yet; the file did change.
        FileStatus::Modified | FileStatus::Unmerged => DiffChange::Modified,
        FileStatus::Renamed => DiffChange::Renamed,
        FileStatus::TypeChanged => DiffChange::TypeChanged,
    }
}

fn stat(file: FileDiff) -> DiffStat {
    DiffStat {
        path: file.path.text,
        old_path: file.old_path.map(|path| path.text),
        change: change(file.status),
        binary: file.binary,
        additions: (!file.binary).then_some(file.additions),
        deletions: (!file.binary).then_some(file.deletions),
    }
}

pub(crate) fn file(mut file: FileDiff) -> DiffFile {
    let (truncated, patch) = (file.truncated, file.patch.take());
    let DiffStat { path, old_path, change, binary, additions, deletions } = stat(file);
    DiffFile { path, old_path, change, binary, truncated, additions, deletions, patch }
}
