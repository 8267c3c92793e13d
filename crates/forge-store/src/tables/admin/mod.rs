//! Records that administrators manage: projects, repositories and their remotes, agents, workflow definitions.
//!
//! Updates of projects and agents compare the version that was read. A workflow definition never changes under its hash. Creating a
//! task takes the project's advisory lock shared, replacing a workflow takes it exclusively, so that no task is created with the old
//! workflow. Each write is one transaction: a crash leaves it whole or not at all.

pub mod agents;
pub mod projects;
pub mod repo_remotes;
pub mod repos;
pub mod workflows;
