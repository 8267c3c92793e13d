//! Commands: the only way to change a task. `Commands` loads the task, its workflow and the facts, lets `forge_domain`
//! decide, and stores snapshot, events, derived rows and effects in one write transaction. Only `event_log` appends
//! events.
//!
//! After the commit, `CommitFollowUps` starts the effects that the transaction leased, and notifies the radar, the
//! pools and the merge trains.
//!
//! A caller that promises a result in its response commits first, then waits here (`settle`) for the effect's report.
//!
//! Crash: before the commit nothing has happened. After it the effects are open rows, which the next executor leases. A
//! client that disconnects changes nothing, because the commit runs in its own task.

pub(crate) mod clock;
pub(crate) mod commit;
pub(crate) mod commit_follow_ups;
pub(crate) mod create_task;
pub(crate) mod delete_task;
pub(crate) mod errors;
pub(crate) mod event_log;
pub(crate) mod facts;
pub(crate) mod id_source;
pub(crate) mod lookup;
pub(crate) mod needs_person;
pub(crate) mod settle;
pub(crate) mod subtask_parent;
pub(crate) mod subtasks;
pub(crate) mod work_overview;
pub(crate) mod workflow_cache;
