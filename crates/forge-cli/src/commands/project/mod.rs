//! `forge project`: list, create, show and remove projects, pause them, and set their members, checks, reviewer and workflow.
//!
//! Each action sends requests to the server and prints the answer; the client stores nothing. An interrupted command
//! leaves the state of the last answered request.

pub(crate) mod project_members;
pub(crate) mod project_remove;
pub(crate) mod project_review;
pub(crate) mod project_subcommand;
pub(crate) mod project_workflow;
