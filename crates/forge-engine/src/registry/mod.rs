//! What people set up: projects, repositories, agents, tasks. Plain rows, each change with its event.

mod agent;
mod agent_patch;
mod budget;
mod family;
mod landing;
mod member;
mod name;
mod project;
mod remote;
mod repo;
mod repo_remote;
mod repo_removal;
mod setup;
mod task;
mod train;
mod workflow;

pub use agent::NewAgent;
pub use agent_patch::{AgentPatch, HIDDEN};
pub use name::check as check_name;
pub use project::{NewProject, ProjectPatch};
pub use remote::NewRemote;
pub use repo::NewRepo;
pub use repo_remote::{RemotePatch, RemoteState};
pub(crate) use setup::Setup;
pub use task::NewTask;
pub(crate) use task::default_review_config;
pub use workflow::NewWorkflow;
