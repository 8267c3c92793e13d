//! Shared by the process tests: a directory, calls of `sh`, and independent reads of the process table.
#![allow(unused_imports, reason = "each test binary uses its part")]

mod escape;
mod place;

pub(crate) use escape::*;
pub(crate) use place::*;
