//! `forge login`, `forge logout`, `forge whoami`, `forge config` and `forge user`: signing in, and the accounts of users.
//!
//! `forge login` stores one token per server in the credentials file, which is replaced in one step: a crash leaves
//! the old or the new file. A crash between the creation of a token and the store leaves a token on the server that
//! does not expire by itself; the user can revoke it there.

pub(crate) mod config;
pub(crate) mod login;
pub(crate) mod logout;
pub(crate) mod user;
pub(crate) mod user_accounts;
pub(crate) mod whoami;
