//! What people do about a branch that does not fit, and about work that has landed.

mod rebase;
mod regress;
mod revert;
mod successor;

pub use successor::Successor;
