//! Accounts: users, their passwords, access tokens, browser sessions, one-time sign-in links and project memberships
//! (S-6). Only hashes of secrets are stored.
//!
//! - Users are created and removed; the row of a removed user stays, because the history names it. The first user is an admin; it can be created only while there is no user.
//! - A password is replaced by compare-and-swap, and the same transaction ends the user's other sessions.
//! - An access token is valid, expired or revoked. The record of its last use is precise to a minute and may be lost.
//! - A browser session is open, expired or ended. A session that has ended has no row, and each new session deletes
//!   the expired rows.
//! - A sign-in link is unused, used or expired. Use and creation of the first admin are one transaction, and so are use
//!   of a user's link and the new password. A new link of a user replaces the earlier one.
//! - A membership and its event are one transaction, under the project's lock.
//!
//! Each change is one transaction, so a crash leaves all of it or nothing. After a crash between the commit and the
//! answer, a new token or session has a row whose secret no client knows; it expires, or its user revokes it. If the
//! crash comes between the use of a link and its session, the first admin signs in with the password; without a
//! password the data directory has to be emptied.

mod access_tokens;
mod account_error;
mod accounts_handle;
mod browser_sessions;
mod local_sign_in;
mod members;
mod passwords;
mod secrets;
mod signin_links;
mod users;

pub use crate::accounts::access_tokens::{AccessTokenSpec, IssuedAccessToken};
pub use crate::accounts::account_error::AccountError;
pub use crate::accounts::accounts_handle::Accounts;
pub use crate::accounts::browser_sessions::BrowserSession;
pub use crate::accounts::local_sign_in::LocalSignIn;
pub use crate::accounts::passwords::{
    HashingError, PasswordChecker, PasswordHash, PasswordLengthError,
};
pub use crate::accounts::secrets::{PlainSecret, RandomnessError, SecretHash};
pub use crate::accounts::signin_links::{LinkError, OneTimeLink};
pub use crate::accounts::users::{EndedAccess, UserSpec};
