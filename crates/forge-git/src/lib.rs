//! Git through the git binary, hardened: repositories, worktrees, branches by compare-and-swap, merging in the object
//! database, diffs.
//!
//! Every call of git is made by one constructor (`command.rs`) that fixes environment and settings. A call that
//! changes something takes a value that proves its target: a [`Worktree`] lies beneath the [`WorkspaceRoot`], a
//! [`LockedRepo`] holds the repository's lock. A person's checkout can only be fast-forwarded, and only where git's own
//! check finds no local work in the way.

mod add;
mod beneath;
mod branch;
mod checkout;
mod collect;
mod command;
mod diff;
mod diff_entry;
mod error;
mod fast_forward;
mod gathering;
mod git;
mod history;
mod hold;
mod index_file;
mod init;
mod journal;
mod journal_diff;
mod journal_entry;
mod journal_policy;
mod lock;
mod nested;
mod object_id;
mod person;
mod private_index;
mod record;
mod ref_name;
mod remove;
mod repo;
mod restore;
mod root;
mod snapshot;
mod squash;
mod summary;
mod verify;
mod version;
mod worktree;

pub use add::{AddError, WorktreeBranch};
pub use beneath::{Beneath, EscapeError};
pub use branch::MoveError;
pub use checkout::Checkout;
pub use collect::Collected;
pub use diff::{Diff, DiffLimits, DiffPath, DiffScope, FileDiff, FileStatus};
pub use error::GitError;
pub use fast_forward::FastForwardError;
pub use git::{Git, GitMissing};
pub use hold::{HoldError, Holder, LOCK_FILE, Patience, StaleLock, WorkspaceHold, WorkspaceLocks};
pub use init::{FirstFile, InitError};
pub use journal::{Journal, JournalNote, Recorded};
pub use journal_entry::{JournalEntry, JournalReason};
pub use journal_policy::JournalPolicy;
pub use lock::{LockedRepo, RepoLocks};
pub use object_id::{ObjectId, ObjectIdError};
pub use person::{Person, PersonError, Signature};
pub use ref_name::{BranchName, NameError, RefName};
pub use remove::Removed;
pub use repo::{DefaultBranchError, OpenError, Repo};
pub use restore::BranchPointer;
pub use root::{DirectoryName, DirectoryNameError, WorkspaceRoot};
pub use snapshot::Site;
pub use squash::Squash;
pub use summary::Summary;
pub use verify::{Corruption, Verified, VerifyError};
pub use worktree::{HeldWorktree, Worktree};
