//! Diffs and summaries of worktrees (W-16). Tracked and untracked files are compared by parallel git processes; the
//! agent's index is neither changed nor locked. Limits on files and bytes keep an answer small.
//!
//! No state. A crash leaves at most a temporary index in the worktree's git directory, which is removed with the
//! worktree.

mod diff_entry;
pub(crate) mod diff_listing;
mod untracked_diff;
pub(crate) mod worktree_diff;
pub(crate) mod worktree_summary;
