//! Routes of projects: settings, members, repositories, git settings, remotes, webhooks and workflows.
//!
//! A change is one transaction with a version check. A project with a first repository is created as a whole or not
//! at all; the next start discards an unfinished clone.

pub(crate) mod members;
pub(crate) mod projects;
pub(crate) mod repo_config;
pub(crate) mod repo_remote;
pub(crate) mod repos;
pub(crate) mod webhooks;
pub(crate) mod workflows;
