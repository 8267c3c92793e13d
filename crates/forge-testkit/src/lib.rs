//! What Forge's tests stand on: real parts, started and removed by themselves. A dev-dependency only.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot be set up must fail, loudly"
)]

pub mod database;
#[cfg(feature = "world")]
pub mod fault_sweep;
#[cfg(feature = "world")]
pub mod git_server;
#[cfg(feature = "world")]
pub mod github_merge;
#[cfg(feature = "world")]
pub mod github_server;
#[cfg(feature = "world")]
pub mod hand_clock;
#[cfg(feature = "world")]
pub mod killed;
pub mod namespace;
pub mod postgres;
#[cfg(feature = "world")]
pub mod repository;
#[cfg(feature = "world")]
pub mod tasks;
#[cfg(feature = "world")]
pub mod traces;
#[cfg(feature = "world")]
pub mod world;
