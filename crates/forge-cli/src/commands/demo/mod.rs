//! `forge demo`

mod command;
mod progress;
mod stage;
mod summary;

pub(crate) use command::Demo;
