//! Merging without a checkout: squash, replay and revert in the object database, merges into a task's worktree, and the
//! trial worktree in which the result of a landing is checked (M-6).
//!
//! Outcomes are values: clean with a tree, already merged (M-8), or a conflict with its files (M-9). The same inputs
//! give the same commits.
//!
//! Crash: merges in the object database leave only unreferenced objects, and temporary files that the next merge
//! removes. A merge with a conflict in a worktree stays there, with `MERGE_HEAD`. A trial of a dead process is removed
//! at the next start (`drop_trials`, `drop_lost_trials`).

pub(crate) mod commit_identity;
pub(crate) mod conflict_hunks;
pub(crate) mod merge_work_dir;
pub(crate) mod replay;
mod revert;
pub(crate) mod scissors_line;
pub(crate) mod squash;
pub(crate) mod trial_worktree;
pub(crate) mod worktree_merge;
