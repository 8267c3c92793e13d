//! `forge task show`: loads what is known about a task, and describes it on one screen.
//!
//! It only reads. What the caller may not read is left out.

mod describe_task;
pub(crate) mod show_args;
pub(crate) mod task_details;
