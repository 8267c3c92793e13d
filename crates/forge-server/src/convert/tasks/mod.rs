//! Conversions of tasks, their configuration, requests, comments, questions, dependencies, subtasks, transitions and effects.
//!
//! Pure functions between domain types or rows and wire types. Requests are validated here for form only (text
//! without NUL, labels, limits); the engine makes the decisions. Nothing is stored, so a crash leaves nothing behind.

pub(crate) mod action;
pub(crate) mod assignee;
pub(crate) mod claim_overrides;
pub(crate) mod comment;
pub(crate) mod dependency;
pub(crate) mod effect;
pub(crate) mod needs_person;
pub(crate) mod question;
pub(crate) mod subtask;
pub(crate) mod task;
pub(crate) mod task_config;
pub(crate) mod task_counts;
pub(crate) mod task_phase;
pub(crate) mod task_request;
pub(crate) mod transition;
pub(crate) mod work_overview;
