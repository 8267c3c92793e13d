//! What Forge's tests stand on: real parts, started and removed by themselves. A dev-dependency only.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot be set up must fail, loudly"
)]

pub mod database;
pub mod postgres;
