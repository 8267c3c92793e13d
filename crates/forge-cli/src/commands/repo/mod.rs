//! `forge repo`: repositories of a project, their remotes, tokens and git settings.
//!
//! Tokens are read from a file or standard input, never from an argument. Each action sends requests to the server;
//! the client stores nothing, and an interrupted command leaves the state of the last answered request.

pub(crate) mod repo_config;
pub(crate) mod repo_remote;
pub(crate) mod repo_subcommand;
