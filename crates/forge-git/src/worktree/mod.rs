//! Worktrees of tasks: created, locked, verified, reset, committed and removed.
//!
//! `Worktree` is for reading; `LockedWorktree` also holds the workspace's lock (W-4) and may change it. A user's
//! checkout can be neither.
//!
//! States: record incomplete (git's `locked` marker) → registered → checked out (our marker, synced; agents start only
//! now) → removal staged (moved to the directory of staged removals) → deleted (in the trash, emptied later), or kept
//! aside if its content is unknown (P-1).
//!
//! Crash: an incomplete record is dropped by the next add; a registered worktree without the marker is checked out
//! again, because no agent has used it; a staged removal continues in either direction when it is repeated; a removal
//! that moved only the directory drops the record next time. A dead holder's lock file is removed once its process is
//! gone; the kernel lock itself is free already.

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
