//! The server's infrastructure as a client meets it: a dressed router in process, or a real socket.
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
