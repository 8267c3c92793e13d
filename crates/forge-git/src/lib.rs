//! Git through the git binary, hardened: repositories, worktrees, branches by compare-and-swap, merging in the object
//! database, diffs.
//!
//! Every call of git is made by one constructor (`command.rs`) that fixes environment and settings. A call that
//! changes something takes a value that proves its target: a [`Worktree`] lies beneath the [`WorkspaceRoot`], a
//! [`LockedRepo`] holds the repository's lock. A person's checkout can only be fast-forwarded, and only where git's own
//! check finds no local work in the way.

mod add;
mod adopt;
mod beneath;
mod branch;
mod checkout;
mod clash;
mod collect;
mod command;
mod diff;
mod diff_entry;
mod diff_listing;
mod error;
mod fast_forward;
mod footprint;
mod git;
mod history;
mod hold;
mod include;
mod include_list;
mod init;
mod lock;
mod member;
mod nested;
mod object_id;
mod person;
mod pool;
mod pool_turn;
mod private_index;
mod record;
mod recycle;
mod ref_file;
mod ref_name;
mod remote;
mod remote_url;
mod remove;
mod repo;
mod restore;
mod root;
mod setup_note;
mod sight;
mod sights;
mod site;
mod snapshot;
mod squash;
mod stamp;
mod summary;
mod tip;
mod untracked;
mod verify;
mod version;
mod watch;
mod watch_state;
mod watch_walk;
mod worktree;
mod worktree_list;

pub use add::{AddError, WorktreeBranch};
pub use adopt::Adopted;
pub use beneath::{Beneath, EscapeError};
pub use branch::MoveError;
pub use checkout::Checkout;
pub use clash::Clash;
pub use collect::Collected;
pub use diff::{Diff, DiffLimits, DiffPath, DiffScope, FileDiff, FileStatus};
pub use error::GitError;
pub use fast_forward::FastForwardError;
pub use git::{Git, GitMissing};
pub use hold::{HoldError, Holder, LOCK_FILE, Patience, StaleLock, WorkspaceHold, WorkspaceLocks};
pub use include::Included;
pub use include_list::{INCLUDE_FILE, IncludeError, IncludeList};
pub use init::{FirstFile, InitError};
pub use lock::{LockedRepo, RepoLocks};
pub use object_id::{ObjectId, ObjectIdError};
pub use person::{Person, PersonError, Signature};
pub use pool::{Pool, ReadyMember};
pub use pool_turn::{PoolTurn, Tended};
pub use ref_name::{BranchName, NameError, RefName};
pub use remote::{CloneError, Followed, discard_clone};
pub use remote_url::{RemoteUrl, RemoteUrlError};
pub use remove::Removed;
pub use repo::{DefaultBranchError, OpenError, Repo};
pub use root::{DirectoryName, DirectoryNameError, WorkspaceRoot};
pub use sight::Comparison;
pub use sights::Sights;
pub use squash::Squash;
pub use summary::Summary;
pub use verify::{Corruption, Verified, VerifyError};
pub use watch::{Unwatched, WatchedTree, Watcher};
pub use worktree::{HeldWorktree, Worktree};
