//! Client methods for sign-in, users and tokens.
//!
//! `AccountClient::sign_in` returns a second client that uses the session; the first one keeps its own credential.

mod account;
mod token;
mod user;

pub use crate::accounts::account::AccountClient;
pub use crate::accounts::token::TokenClient;
pub use crate::accounts::user::UserClient;
