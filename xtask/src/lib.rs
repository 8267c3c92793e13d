//! Project rules that neither a type nor clippy can state, as functions over text.
//!
//! `cargo xtask tidy` prints every violation; `tests/tidy.rs` fails on them in the normal test run.

pub mod commit_history;
pub mod rule_violation;
pub mod rules;
pub mod rust_comment;
pub mod rust_source;
pub mod source_file;
pub mod source_tree;
pub mod tidy;
pub mod workspace_crate;
