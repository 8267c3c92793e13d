//! `forge workspace`: a file per action.

mod clean;
mod command;
mod orphans;
mod reset;

pub(crate) use command::Workspace;
