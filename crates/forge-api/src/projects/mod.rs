//! Wire types of projects: settings, branch templates, members, repositories with their git settings and remotes, and
//! workflows.
//!
//! `ProjectSettings` is a closed list of names: the server refuses a misspelt one. A change carries the `version`
//! that the caller read, so a repeated request after a lost answer is refused as `version_conflict` instead of being
//! applied twice.

pub(crate) mod branch_template;
pub(crate) mod member;
pub(crate) mod project;
pub(crate) mod repo;
pub(crate) mod repo_config;
pub(crate) mod repo_remote;
pub(crate) mod webhook;
pub(crate) mod workflow;
