//! Accounts (S-6): users, project members, access tokens, browser sessions, one-time links.
//!
//! Only hashes of tokens, cookies and codes are stored. A token is valid until it expires or is revoked, a session until it expires or
//! the user signs out, a link until its first use. Membership is checked by keys before every request of a member.

pub mod links;
pub mod members;
pub mod sessions;
pub mod tokens;
pub mod users;
