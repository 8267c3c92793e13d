//! The rules of the house that neither a type nor clippy can state, as functions over text.
//!
//! `cargo xtask tidy` prints every offence; `tests/tidy.rs` fails on them in the normal test run.

pub mod offence;
pub mod rules;
pub mod rust_source;
pub mod source_file;
pub mod tidy;
pub mod tree;
pub mod workspace_crate;
