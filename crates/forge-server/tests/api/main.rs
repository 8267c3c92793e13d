//! The API from a client's view: a real server on a socket, a real database, real repositories.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../support/mod.rs"]
mod support;

mod agents;
mod backup;
mod bad_input;
mod boundary;
mod boundary_paths;
mod credentials;
mod description;
mod events;
mod first_run;
mod guarded;
mod local_sign_in;
mod members;
mod projects;
mod repo_config;
mod repos;
mod sign_in;
mod starting;
mod system;
mod users;
mod webhooks;
mod workflows;
