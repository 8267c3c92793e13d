//! Client methods for tasks, comments, dependencies, subtasks and the list of tasks that need a person.
//!
//! One method per endpoint. The client keeps no state: a call either returns the server's answer or a `ClientError`.
//! A call that fails after it was sent may still have been applied; read the task again before repeating it.

mod comment;
mod dependency;
mod needs_person;
mod subtask;
pub(crate) mod task;
