//! Wire types of tasks: the task itself, its configuration, and the requests to create, change, claim, move, assign,
//! hand off and cancel it; its comments, questions, dependencies, subtasks, effects and prompt; the counts of a board; and
//! the list of tasks that need a person.
//!
//! The types hold no state and make no decisions. `TransitionResponse` has three shapes, by the kind of the entered
//! state. A request that the server has answered is committed; a client that lost the answer reads the task again and
//! compares its `version`.

pub(crate) mod action;
pub(crate) mod assignee;
pub(crate) mod cancel;
pub(crate) mod claim;
pub(crate) mod claim_overrides;
pub(crate) mod comment;
pub(crate) mod dependency;
pub(crate) mod effect;
pub(crate) mod handoff;
pub(crate) mod needs_person;
pub(crate) mod prompt;
pub(crate) mod question;
pub(crate) mod role;
pub(crate) mod subtask;
pub(crate) mod task;
pub(crate) mod task_config;
pub(crate) mod task_counts;
pub(crate) mod task_request;
pub(crate) mod transition;
