//! Test fixtures of Forge: real components that start and remove themselves. A dev-dependency only.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot be set up must fail, loudly"
)]

pub mod database;
#[cfg(feature = "world")]
pub mod end_state;
#[cfg(feature = "world")]
pub mod engine_fixture;
#[cfg(feature = "world")]
pub mod fault_sweep;
#[cfg(feature = "world")]
pub mod git_server;
#[cfg(feature = "world")]
pub mod github_merging;
#[cfg(feature = "world")]
pub mod github_server;
pub mod intercepting_proxy;
#[cfg(feature = "world")]
pub mod kill_sweep;
#[cfg(feature = "world")]
pub mod manual_clock;
pub mod namespace;
pub mod postgres;
#[cfg(feature = "world")]
pub mod task_operations;
#[cfg(feature = "world")]
pub mod test_repository;
#[cfg(feature = "world")]
pub mod webhook_receiver;
#[cfg(feature = "world")]
pub mod whole_state;
