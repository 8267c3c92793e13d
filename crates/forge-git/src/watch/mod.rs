//! Watching worktrees, and the cache of their summaries and diffs (W-16). The kernel reports changes (inotify); an
//! answer stays valid while no change is reported and the fingerprint (HEAD, index, settings, directory) is the same.
//! Then a query costs a few file reads and no git process.
//!
//! States of a watch: adding directories → complete → stopped (too many directories, nested repository, directory
//! replaced). Dropped events invalidate everything and add all directories again.
//!
//! All state is in memory: a crash leaves nothing, and the next process starts with an empty cache.

pub(crate) mod cached_worktree;
mod watch_state;
mod watch_walk;
pub(crate) mod watcher;
pub(crate) mod worktree_cache;
mod worktree_fingerprint;
