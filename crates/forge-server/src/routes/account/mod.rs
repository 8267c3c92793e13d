//! Routes of accounts: sign-in by link or password, the caller, passwords, tokens and users (SPEC S-6).
//!
//! Passwords, tokens and links are stored only as hashes. Ending a credential is committed first and then removed
//! from the cache; after a crash in between the cache is gone with the process, and other nodes notice the end within
//! five seconds.

pub(crate) mod local_sign_in;
pub(crate) mod my_password;
mod password;
pub(crate) mod sign_in;
pub(crate) mod tokens;
pub(crate) mod users;
