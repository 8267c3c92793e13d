//! `forge workflow`: show built-in workflows and check workflow files. Needs no server and stores nothing.

pub(crate) mod workflow_file;
pub(crate) mod workflow_subcommand;
