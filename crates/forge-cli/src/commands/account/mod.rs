//! `forge login`, `forge logout` and `forge user`: signing in and changing the own password.
//!
//! `forge login` stores one token per server in the credentials file, which is replaced in one step: a crash leaves
//! the old or the new file. A crash between the creation of a token and the store leaves a token on the server that
//! does not expire by itself; the user can revoke it there.

pub(crate) mod login;
pub(crate) mod logout;
pub(crate) mod user;
