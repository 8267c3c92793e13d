//! Environment, settings and target directory of a git process, each option with its reason. Only [`GitCommand`]
//! uses them.
//!
//! [`GitCommand`]: crate::command::git_command::GitCommand

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use forge_proc::ProgramInvocation;

use crate::checkout::checkout_list::Checkout;
use crate::command::git_program::GitProgram;
use crate::remote::bare_clone::NewClone;
use crate::remote::isolated_git_dir::IsolatedGitDir;
use crate::repo::repository::Repo;
use crate::worktree::worktree_location::WorktreeLocation;

/// Settings of every git command. Nothing that a repository, a user or an agent configured may run a program, ask a
/// question, start a background job or change the format of the output.
const FIXED_SETTINGS: &[&str] = &[
    // Hooks are programs of the repository.
    "core.hooksPath=/dev/null",
    // Would start a daemon, or a program of the repository.
    "core.fsmonitor=false",
    // Paths are parsed as raw bytes.
    "core.quotePath=false",
    // A pager would wait for a user.
    "core.pager=cat",
    // External diff programs are programs of the repository.
    "diff.external=",
    // A submodule's own settings belong to an agent (W-19).
    "diff.ignoreSubmodules=all",
    "submodule.recurse=false",
    // LFS files stay pointers: no filter program runs, and its absence is no error.
    "filter.lfs.process=",
    "filter.lfs.smudge=",
    "filter.lfs.clean=",
    "filter.lfs.required=false",
    // Every transport is off; a remote command allows the single one that it needs.
    "protocol.allow=never",
    "protocol.ext.allow=never",
    // Credentials come only from the credential helper that a remote command sets.
    "credential.helper=",
    // No background maintenance: it would hold locks while other commands run.
    "gc.auto=0",
    "maintenance.auto=false",
    // Signing would start a program and may ask for a passphrase.
    "commit.gpgSign=false",
    // The output must not depend on what the repository configured.
    "i18n.commitEncoding=UTF-8",
    "worktree.guessRemote=false",
    "worktree.useRelativePaths=false",
];

/// Settings of commands that write: results survive a power cut, and a command waits for a reference that is briefly
/// locked.
pub(super) const DURABLE_SETTINGS: &[&str] = &[
    // Objects, packs, indexes and references are on disk before git answers.
    "core.fsync=all",
    // One flush for all new objects instead of one for each.
    "core.fsyncMethod=batch",
    // Another git may hold these locks for a moment; without a wait the command would fail.
    "core.filesRefLockTimeout=5000",
    "core.packedRefsTimeout=5000",
];

/// Settings of snapshot commands. Objects that a reference will name survive a power cut; the private index need not.
/// The repository's own rules for index formats and line endings must not prevent saving the files.
pub(super) const SNAPSHOT_SETTINGS: &[&str] = &[
    // Objects only: the private index is deleted after the command.
    "core.fsync=committed",
    "core.fsyncMethod=batch",
    // Forge reads the private index, and a split one has parts in another file.
    "core.splitIndex=false",
    // Would be written for a single use.
    "core.untrackedCache=false",
    // Would hide changed files.
    "core.ignoreStat=false",
    // Would refuse a file because of its line endings.
    "core.safecrlf=false",
];

/// Settings for files that are deleted soon: neither flushed to disk nor compressed.
pub(super) const SCRATCH_SETTINGS: &[&str] = &["core.fsync=none", "core.looseCompression=0"];

/// Below this number of files, starting checkout workers costs more than writing the files.
pub(super) const PARALLEL_CHECKOUT_THRESHOLD: &str = "checkout.thresholdForParallelism=5000";

pub(super) fn base_invocation(
    git: &GitProgram,
    directory: &Path,
    more: &[&str],
) -> ProgramInvocation {
    let mut invocation = ProgramInvocation::new(git.program(), directory)
        // Git finds its helper programs there.
        .env("PATH", git.search_path())
        // Settings, attributes and ignore rules of the server's user do not apply to repositories.
        .env("HOME", "/nonexistent")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_ATTR_NOSYSTEM", "1")
        // Messages are parsed in English.
        .env("LC_ALL", "C")
        // No user answers a question or closes an editor.
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_ASKPASS", "")
        .env("GIT_EDITOR", "false")
        // A replacement reference would show other content than the commit that was tested.
        .env("GIT_NO_REPLACE_OBJECTS", "1")
        // A pager would wait for a user.
        .arg("--no-pager")
        // A file name with a star stands for itself.
        .arg("--literal-pathspecs");
    for setting in FIXED_SETTINGS.iter().chain(more) {
        invocation = invocation.arg("-c").arg(*setting);
    }
    invocation
}

pub(super) fn in_bare_clone(invocation: ProgramInvocation, clone: &NewClone) -> ProgramInvocation {
    trust_directory(invocation, clone.path()).env("GIT_DIR", clone.path())
}

pub(super) fn in_isolated_dir(isolated: &IsolatedGitDir, more: &[&str]) -> ProgramInvocation {
    base_invocation(isolated.git(), isolated.path(), more)
        .env("GIT_DIR", isolated.path())
        .env("GIT_OBJECT_DIRECTORY", isolated.objects())
}

pub(super) fn without_optional_locks(invocation: ProgramInvocation) -> ProgramInvocation {
    // A reading command must not lock or rewrite an index that an agent uses.
    invocation.env("GIT_OPTIONAL_LOCKS", "0")
}

pub(super) fn with_forge_identity(invocation: ProgramInvocation) -> ProgramInvocation {
    // Reflog entries need a name; commits get theirs from `signed`.
    ["AUTHOR", "COMMITTER"].iter().fold(invocation, |invocation, role| {
        invocation
            .env(format!("GIT_{role}_NAME"), "Forge")
            .env(format!("GIT_{role}_EMAIL"), "forge@localhost")
    })
}

pub(super) fn trust_directory(
    invocation: ProgramInvocation,
    directory: &Path,
) -> ProgramInvocation {
    // Git refuses a repository of another owner; Forge checked the owner when the repository was registered.
    let mut setting = OsString::from("safe.directory=");
    setting.push(directory);
    invocation.arg("-c").arg(setting)
}

pub(super) fn in_object_database(repo: &Repo, more: &[&str]) -> ProgramInvocation {
    let common = repo.common_dir();
    with_settings_copy(
        trust_directory(base_invocation(repo.git(), common, more), common).env("GIT_DIR", common),
        repo,
    )
}

/// Redirects settings, attributes and ignore rules to Forge's copy (W-19). References, objects, the worktree's index
/// and its `HEAD` stay the repository's.
fn with_settings_copy(invocation: ProgramInvocation, repo: &Repo) -> ProgramInvocation {
    match repo.settings_copy() {
        Some(copy) => invocation
            .env("GIT_COMMON_DIR", copy.directory())
            .env("GIT_OBJECT_DIRECTORY", repo.common_dir().join("objects")),
        None => invocation,
    }
}

pub(super) fn in_worktree(spot: &WorktreeLocation, more: &[&str]) -> ProgramInvocation {
    in_work_tree(&spot.repo, spot.git_dir.clone(), &spot.path(), more).env("GIT_WORK_TREE", ".")
}

pub(super) fn in_checkout(checkout: &Checkout, more: &[&str]) -> ProgramInvocation {
    in_work_tree(checkout.repo(), checkout.git_dir().to_owned(), checkout.path(), more)
}

pub(super) fn in_work_tree(
    repo: &Repo,
    git_dir: PathBuf,
    work_tree: &Path,
    more: &[&str],
) -> ProgramInvocation {
    let mut invocation = trust_directory(base_invocation(repo.git(), work_tree, more), work_tree);
    if let Some(copy) = repo.settings_copy() {
        for setting in copy.load_sparse_settings(&git_dir) {
            invocation = invocation.arg("-c").arg(setting);
        }
    }
    let invocation = invocation
        .env("GIT_DIR", git_dir)
        .env("GIT_COMMON_DIR", repo.common_dir())
        .env("GIT_WORK_TREE", work_tree);
    with_settings_copy(invocation, repo)
}
