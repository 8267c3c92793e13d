//! Client methods for sign-in, users and tokens.
//!
//! `ApiClient::sign_in` returns a second client that uses the session; the first one keeps its own credential.

mod auth;
mod token;
mod user;
