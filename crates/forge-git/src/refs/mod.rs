//! References and commits: names, object ids, lookups without a git process, branch moves by compare-and-swap, and
//! queries over commit ranges.
//!
//! A branch moves only from the commit that the caller expects. `BranchMove` records a move before it happens, until
//! every checkout has followed.
//!
//! Crash: before the move nothing has changed. After it the record remains, and `finish_checkouts` brings the checkouts
//! to the new commit. A move or a deletion that was completed can be repeated without an error. A reference's lock file
//! that a killed git left is removed under the repository's lock.

pub(crate) mod branch_move;
pub(crate) mod branch_name_conflict;
pub(crate) mod branch_update;
mod commit_log;
mod commit_range;
pub(crate) mod default_branch;
mod head_lookup;
pub(crate) mod object_id;
mod own_commits;
pub(crate) mod ref_lookup;
pub(crate) mod ref_name;
