//! Worktrees of tasks: created, locked, verified, reset, committed and removed.
//!
//! `Worktree` is for reading; `LockedWorktree` also holds the workspace's lock (W-4) and may change it. A user's
//! checkout can be neither.
//!
//! | state | how it is recognised |
//! |---|---|
//! | record incomplete | git's `locked` file in the record |
//! | registered | the record without that file |
//! | checked out | Forge's marker in the record, written to the disk before an agent starts |
//! | removal staged | its directory is in the directory of staged removals |
//! | deleted | its directory is in the trash, which is emptied later |
//! | kept | its directory is in `.kept`, because Forge does not know its content (P-1) |
//!
//! What happens after a crash:
//!
//! - The next `add_worktree` drops an incomplete record.
//! - It checks out a registered worktree without the marker again; no agent has used such a worktree.
//! - A staged removal can be repeated, or cancelled: both finish the move of the directory and the update of the
//!   record.
//! - If a removal moved the directory but did not delete the record, the repeated removal deletes it.
//! - `release_stale` removes the lock file of a holder whose process is gone; the kernel has released the lock itself.

pub(crate) mod add_worktree;
pub(crate) mod commit_all;
pub(crate) mod include_files;
pub(crate) mod include_list;
mod nested_repositories;
pub(crate) mod remove_worktree;
pub(crate) mod setup_note;
pub(crate) mod special_file;
mod staged_removal;
pub(crate) mod verify_worktree;
pub(crate) mod workspace_lock;
pub(crate) mod workspace_root;
pub(crate) mod worktree_handle;
mod worktree_list;
pub(crate) mod worktree_location;
pub(crate) mod worktree_record;
pub(crate) mod worktree_records;
mod worktree_reset;
