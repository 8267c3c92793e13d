//! The journal: saved states of a workspace as commits under `refs/forge/journal/<task>/<n>` (W-14).
//!
//! A snapshot works on a copy of the agent's index and writes the files as objects, while the agent may continue to
//! work; it changes neither the agent's index nor its branch. If the index is unusable, the snapshot starts from the
//! commit at HEAD; if that is unusable too, from an empty tree. A restore saves the current state first, then writes
//! the planned files.
//!
//! Crash: during a snapshot only unreferenced objects and a private index are left; the next snapshot removes the
//! index. An entry exists once its reference does. An interrupted restore can be repeated: the state before it is the
//! newest entry. Lock files on journal references are removed when no git process works in the repository.

mod current_tree;
pub(crate) mod journal_entry;
mod journal_locks;
pub(crate) mod journal_policy;
pub(crate) mod restore;
pub(crate) mod restore_plan;
mod snapshot_builder;
pub(crate) mod task_journal;
pub(crate) mod workspace_snapshot;
