//! What a task changed (W-16).

use forge_api::{Diff, DiffChange, DiffFile, DiffNews, DiffScope, DiffSource, DiffStat};
use forge_engine::{FileDiff, FileStatus, TaskDiff};

/// A diff as clients see it.
pub(crate) fn diff(scope: DiffScope, found: TaskDiff) -> Diff {
    Diff {
        scope,
        source: source(found.source),
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

/// One state of a diff that is followed.
pub(crate) fn news(scope: DiffScope, found: forge_engine::DiffNews) -> DiffNews {
    let forge_engine::DiffNews { diff, live } = found;
    DiffNews {
        scope,
        source: source(diff.source),
        base: diff.base,
        head: diff.head,
        files: diff.diff.files.into_iter().map(stat).collect(),
        truncated: diff.diff.truncated,
        live,
    }
}

fn source(source: forge_engine::DiffSource) -> DiffSource {
    match source {
        forge_engine::DiffSource::Workspace => DiffSource::Workspace,
        forge_engine::DiffSource::Landed => DiffSource::Landed,
        forge_engine::DiffSource::Branch => DiffSource::Branch,
    }
}

fn change(status: FileStatus) -> DiffChange {
    match status {
        FileStatus::Added => DiffChange::Added,
        FileStatus::Deleted => DiffChange::Deleted,
        // The wire has no word for a conflict yet; the file did change.
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
