//! What the process tests share: a directory, calls of `sh`, and reading the process table from outside.
#![allow(unused_imports, reason = "each test binary uses its part")]

mod escape;
mod place;

pub(crate) use escape::*;
pub(crate) use place::*;
