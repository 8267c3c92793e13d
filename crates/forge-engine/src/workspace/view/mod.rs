//! Read-only views of workspaces (W-16): summaries, diffs and live diff updates, from a cache of opened repositories and watched worktrees.
//! They take no lock and change nothing, so a crash leaves nothing.

pub(crate) mod diff_follower;
pub(crate) mod read_cache;
pub(crate) mod task_diff;
pub(crate) mod workspace_summary;
