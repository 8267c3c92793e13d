//! `forge workspace`: one file per action.

pub(crate) mod clean;
pub(crate) mod list;
pub(crate) mod orphans;
pub(crate) mod reset;
pub(crate) mod setup;
pub(crate) mod show;
pub(crate) mod workspace_subcommand;

pub(crate) use crate::commands::workspace::workspace_subcommand::WorkspaceSubcommand;
