//! The client against a real HTTP server in this process.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod calls;
mod events;
mod failures;
mod server;
