//! `forge workspace`: a file per action.

mod clean;
mod command;
mod list;
mod orphans;
mod reset;
mod setup;
mod show;

pub(crate) use command::Workspace;
