//! `forge agent`: a file per action that needs one.

mod acp_bridge;
mod add;
mod check;
mod command;
mod edit;
mod probe;

pub(crate) use command::Agent;
