//! The user's repository, a workspace root and helpers that the tests share. All git state is in a temporary
//! directory.
#![allow(unused_imports, reason = "each test binary uses its part")]

pub(crate) mod branches;
mod world;

pub(crate) use world::*;
