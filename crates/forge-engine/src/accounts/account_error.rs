//! Errors of account changes.

use forge_domain::UserId;
use forge_store::StoreError;

use crate::accounts::secrets::RandomnessError;

/// Why an account was not changed. Nothing was stored.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// Another user has this name.
    #[error("There is already a user \"{name}\". Choose another name.")]
    NameInUse {
        /// The requested name.
        name: String,
    },
    /// The stored password is not the one that the caller has verified.
    #[error("Another request has just changed the password. Sign in again.")]
    PasswordChanged,
    /// An admin wanted to remove the own account.
    #[error("You cannot remove your own account. Ask another admin to do it.")]
    OwnAccount,
    /// There is no such user, or the account was removed.
    #[error("There is no user {id}. The account may have been removed; look at the list of users.")]
    UserMissing {
        /// The id that was looked up.
        id: UserId,
    },
    /// The link is for another user than the named one.
    #[error(
        "This link is for another user. Leave the name out, or ask an admin for a link of your own."
    )]
    LinkOfAnotherUser,
    /// The sign-in link is unknown, used or expired, or the server has users.
    #[error("the link does not sign in: it is unknown, used or expired, or the server has users")]
    LinkUnusable,
    /// The local credential belongs to the first admin, and every admin has lost that role.
    #[error(
        "this server has users but no admin, so the local credential belongs to none of them; sign in with `forge login`"
    )]
    NoAdmin,
    /// The operating system provided no random bytes for a secret.
    #[error(transparent)]
    Randomness(#[from] RandomnessError),
    /// The database returned an error.
    #[error(transparent)]
    Store(#[from] StoreError),
}
