//! Administration: projects, repositories, agents and their settings. Each change is one transaction that locks the
//! row, checks its version and appends an event. Settings are validated before they are stored, so that no task fails
//! on them later.
//!
//! Crash: the next start deletes a clone that git did not finish. A finished clone that was not registered yet stays on
//! the disk, unused.

pub(crate) mod agent;
pub(crate) mod agent_change;
pub(crate) mod agent_probe;
pub(crate) mod agent_program;
pub(crate) mod agent_removal;
pub(crate) mod boundary;
pub(crate) mod budget;
pub(crate) mod clone_repo;
pub(crate) mod founded_repository;
pub(crate) mod merge_config;
pub(crate) mod name;
pub(crate) mod project;
pub(crate) mod project_removal;
pub(crate) mod replace_workflow;
pub(crate) mod repo;
pub(crate) mod repo_config;
pub(crate) mod repo_remote;
pub(crate) mod repo_removal;
pub(crate) mod settings_check;
pub(crate) mod train_control;

pub use crate::admin::agent::AgentSpec;
pub use crate::admin::agent_change::{AgentChange, HIDDEN};
pub use crate::admin::clone_repo::RemoteRepoSpec;
pub use crate::admin::name::check as check_name;
pub use crate::admin::project::{ProjectChange, ProjectSpec};
pub use crate::admin::project_removal::{KeptDirectory, KeptRepository, RemovedProject};
pub use crate::admin::replace_workflow::WorkflowSpec;
pub use crate::admin::repo::LocalRepoSpec;
pub use crate::admin::repo_remote::{RemoteChange, RemoteState};
pub use crate::command::create_task::{StartPlacement, TaskSpec};
