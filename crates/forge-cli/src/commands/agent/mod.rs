//! `forge agent`: one file per action.

pub(crate) mod acp_bridge;
pub(crate) mod add;
pub(crate) mod agent_subcommand;
pub(crate) mod check;
pub(crate) mod edit;
pub(crate) mod installed_agent;
pub(crate) mod probe;
pub(crate) mod show;

pub(crate) use crate::commands::agent::agent_subcommand::AgentSubcommand;
pub(crate) use crate::commands::agent::installed_agent::fetch_or_add_agent;
