//! The rules, tested as the engine uses them: commands and reports in, decisions or refusals out. One binary, so that
//! the parts they share are compiled once and an unused part is noticed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

mod random_workflows;
