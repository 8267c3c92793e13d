//! The server's infrastructure from a client's view: a router with middleware in process, or a real socket.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod answer;
mod assets;
mod body;
mod docs;
mod errors;
mod events;
mod guard;
mod listen;
mod metrics;
mod settings;
