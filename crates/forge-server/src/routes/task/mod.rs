//! Routes of tasks: create, list, change, claim, move, assign, hand off, cancel and archive; comments, dependencies,
//! subtasks, effects, prompts, the list of tasks that need a person, and the overview of all projects.
//! Routes of tasks: create, list, change, claim, move, assign, hand off, cancel and archive; comments, questions, dependencies,
//! subtasks, effects, prompts, and the list of tasks that need a person.
//!
//! A handler sends one command to the engine, which commits it together with its effects. A claim or a move then
//! waits for the effects: when the client disconnects or the server stops, the wait ends and the effects continue,
//! here or after the next start (T-9). A crash before the commit leaves nothing; a crash after it leaves durable
//! effects that the next start performs.

pub(crate) mod claim;
pub(crate) mod comments;
pub(crate) mod dependencies;
pub(crate) mod effects;
pub(crate) mod handoff;
pub(crate) mod needs_person;
pub(crate) mod prompt;
pub(crate) mod questions;
pub(crate) mod role_holder;
pub(crate) mod roles;
pub(crate) mod subtasks;
pub(crate) mod tasks;
pub(crate) mod transition;
pub(crate) mod work_overview;
