//! Commands: the only way to change a task. A command loads the task, its workflow and the facts, lets `forge_domain` decide,
//! and stores snapshot, events, derived rows and effects in one write transaction.
//!
//! A caller that promises a result in its response commits first, then waits here (`settle`) for the effect's report.
//!
//! Crash: before the commit nothing has happened. After it the effects are open rows, which the next executor leases. A client that
//! disconnects changes nothing, because the commit runs in its own task.

pub(crate) mod clock;
pub(crate) mod commit;
pub(crate) mod create_task;
pub(crate) mod errors;
pub(crate) mod facts;
pub(crate) mod id_source;
pub(crate) mod lookup;
pub(crate) mod needs_person;
pub(crate) mod settle;
mod subtask_parent;
mod subtasks;
pub(crate) mod workflow_cache;
