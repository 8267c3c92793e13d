//! Conversions of users, members, tokens and actors.
//!
//! Pure functions; nothing is stored. A token is converted without its secret, an actor without its name.

pub(crate) mod actor;
pub(crate) mod user;
