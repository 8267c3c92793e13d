//! Git through the git binary, hardened: repositories, worktrees, branches by compare-and-swap, merges in the object
//! database, diffs.
//!
//! `GitCommand` (`command/git_command.rs`) constructs every git command and fixes its environment and settings. A
//! command that changes something takes a value that proves its target: a [`Worktree`] lies below the
//! [`WorkspaceRoot`], a [`LockedRepo`] holds the repository's lock. A user's checkout can only be fast-forwarded, and
//! only if git's own check finds no local work in the way.

mod checkout;
mod command;
mod diff;
mod files;
mod fs;
mod index;
mod journal;
mod merge;
mod pool;
mod radar;
mod refs;
mod remote;
mod repo;
mod settings;
mod watch;
mod worktree;

pub use crate::checkout::checkout_list::Checkout;
pub use crate::checkout::fast_forward::FastForwardError;
pub use crate::checkout::locked_checkout::{HeldCheckouts, LockedCheckout};
pub use crate::command::git_error::GitError;
pub use crate::command::git_program::{GitNotFoundError, GitProgram};
pub use crate::diff::worktree_diff::{
    DiffLimits, DiffPath, DiffScope, FileDiff, FileStatus, GitDiff,
};
pub use crate::diff::worktree_summary::WorktreeSummary;
pub use crate::fs::confined_dir::{ConfinedDir, PathEscapeError};
pub use crate::journal::journal_entry::{JournalEntry, JournalReason};
pub use crate::journal::journal_policy::JournalPolicy;
pub use crate::journal::restore::{BranchOnRestore, PendingRestore};
pub use crate::journal::restore_plan::RestorePlan;
pub use crate::journal::task_journal::{Journal, JournalEntryMetadata, JournalWriteOutcome};
pub use crate::journal::workspace_snapshot::SnapshotSource;
pub use crate::merge::commit_identity::{CommitIdentity, CommitIdentityError, CommitSignature};
pub use crate::merge::conflict_hunks::UnmergedHunk;
pub use crate::merge::replay::ReplayOutcome;
pub use crate::merge::scissors_line::indent_scissors_lines;
pub use crate::merge::squash::SquashOutcome;
pub use crate::merge::trial_worktree::TrialWorktree;
pub use crate::merge::worktree_merge::MergeOutcome;
pub use crate::pool::ignored_files_owner::IgnoredFilesOwner;
pub use crate::pool::pool_lock::{PoolLock, PoolRepairOutcome};
pub use crate::pool::take_worktree::TakenWorktree;
pub use crate::pool::worktree_pool::{ReadyWorktree, WorktreePool};
pub use crate::radar::{MergeSide, PairCheckStats, PairReport, PairResult, PairResultCache};
pub use crate::refs::branch_move::UnfinishedMove;
pub use crate::refs::branch_name_conflict::BranchNameConflict;
pub use crate::refs::branch_update::BranchMoveError;
pub use crate::refs::default_branch::DefaultBranchError;
pub use crate::refs::object_id::{ObjectId, ObjectIdError};
pub use crate::refs::ref_name::{BranchName, RefName, RefNameError};
pub use crate::remote::bare_clone::{FollowOutcome, RepoCloneError, archive_clone, discard_clone};
pub use crate::remote::credentials::{AccessToken, AccessTokenError, RemoteCredentials};
pub use crate::remote::fetch::RemoteQueryError;
pub use crate::remote::isolated_git_dir::discard_isolated_git_dirs;
pub use crate::remote::push::PushOutcome;
pub use crate::remote::remote_error::{RemoteError, RemoteErrorKind};
pub use crate::remote::remote_repo::RemoteRepo;
pub use crate::remote::remote_url::{RemoteUrl, RemoteUrlError};
pub use crate::remote::unfinished_clone::discard_unfinished_clones;
pub use crate::repo::repo_init::{InitialFile, RepoInitError};
pub use crate::repo::repo_lock::{LockedRepo, RepoLocks};
pub use crate::repo::repository::{Repo, RepoOpenError};
pub use crate::repo::repository_directories::RepositoryDirectories;
pub use crate::settings::settings_change::{SettingsChange, SettingsChangeKind};
pub use crate::watch::cached_worktree::WorktreeComparison;
pub use crate::watch::watcher::{WatchError, WatchedWorktree, WorktreeWatcher};
pub use crate::watch::worktree_cache::WorktreeCache;
pub use crate::worktree::add_worktree::{WorktreeAddError, WorktreeBranch};
pub use crate::worktree::commit_all::CommitAllOutcome;
pub use crate::worktree::include_files::IncludeOutcome;
pub use crate::worktree::include_list::{INCLUDE_FILE, IncludeError, IncludeList};
pub use crate::worktree::remove_worktree::RemovalOutcome;
pub use crate::worktree::setup_note::SetupNote;
pub use crate::worktree::verify_worktree::{
    VerifiedWorktree, WorktreeCorruption, WorktreeVerifyError,
};
pub use crate::worktree::workspace_lock::{
    LOCK_FILE, LockHolder, LockWait, StaleWorkspaceLock, WorkspaceLockError, WorkspaceLockGuard,
    WorkspaceLocks,
};
pub use crate::worktree::workspace_root::{DirectoryName, DirectoryNameError, WorkspaceRoot};
pub use crate::worktree::worktree_handle::{LockedWorktree, Worktree};
