//! `forge workspace`: a file per action.

mod command;
mod list;
mod show;

pub(crate) use command::Workspace;
