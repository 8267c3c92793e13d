//! From what the engine knows to what the wire says. One file per noun, no decisions.

pub(crate) mod action;
pub(crate) mod actor;
pub(crate) mod agent;
pub(crate) mod assignee;
pub(crate) mod comment;
pub(crate) mod dependency;
pub(crate) mod diff;
pub(crate) mod execution;
pub(crate) mod journal;
pub(crate) mod phase;
pub(crate) mod project;
pub(crate) mod repo;
pub(crate) mod review;
pub(crate) mod step;
pub(crate) mod task;
pub(crate) mod task_config;
pub(crate) mod task_request;
pub(crate) mod text;
pub(crate) mod time;
pub(crate) mod transition;
pub(crate) mod user;
pub(crate) mod word;
pub(crate) mod workflow;
pub(crate) mod workflow_request;
pub(crate) mod workspace;
