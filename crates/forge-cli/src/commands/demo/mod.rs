//! The command `forge demo`.

pub(crate) mod demo_args;
pub(crate) mod demo_progress;
pub(crate) mod demo_server;
pub(crate) mod demo_summary;

pub(crate) use crate::commands::demo::demo_args::DemoArgs;
