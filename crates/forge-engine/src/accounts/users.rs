//! Users: creation, the first admin, and the change of a password.

use forge_domain::{AccountRole, Timestamp, TokenAccess, TokenId, UserId};
use forge_store::tables::users::{self, UserRow};
use forge_store::tables::{sessions, tokens};

use crate::accounts::access_tokens::AccessTokenSpec;
use crate::accounts::account_error::AccountError;
use crate::accounts::accounts_handle::Accounts;
use crate::accounts::passwords::PasswordHash;
use crate::accounts::secrets::PlainSecret;

/// A user to create. The caller has checked the name with [`check_name`](crate::check_name).
#[derive(Debug, Clone)]
pub struct UserSpec {
    pub name: String,
    /// Hash of the password; a user without one signs in by token.
    pub password: Option<PasswordHash>,
    pub role: AccountRole,
}

/// A removed account, and the credentials that ended with it.
#[derive(Debug, Clone)]
pub struct EndedAccess {
    pub user: UserRow,
    /// The hashes of its sessions.
    pub sessions: Vec<String>,
    /// Its tokens that still worked.
    pub tokens: Vec<TokenId>,
}

impl Accounts {
    /// The default name of the first admin.
    pub const FIRST_ADMIN: &'static str = "admin";

    /// Creates a user.
    pub async fn create_user(&self, spec: UserSpec) -> Result<UserRow, AccountError> {
        let user = self.build_user(spec, self.clock.now());
        let row = user.clone();
        let write = self.db.write(move |tx| {
            let row = row.clone();
            Box::pin(async move {
                users::insert(tx, &row).await.map_err(|error| {
                    if error.is_duplicate() {
                        AccountError::NameInUse { name: row.name.clone() }
                    } else {
                        error.into()
                    }
                })
            })
        });
        write.await?;
        Ok(user)
    }

    /// Creates the first admin with a given access token. On a server with users it changes nothing.
    pub async fn create_first_admin(&self, secret: &PlainSecret) -> Result<(), AccountError> {
        let now = self.clock.now();
        let spec = UserSpec {
            name: Self::FIRST_ADMIN.to_owned(),
            password: None,
            role: AccountRole::Admin,
        };
        let user = self.build_user(spec, now);
        let spec = AccessTokenSpec {
            user: user.id,
            name: "bootstrap".to_owned(),
            access: TokenAccess::Full,
            expires_in_seconds: None,
        };
        let token = self.build_token(spec, secret, now);
        let write = self.db.write(move |tx| {
            let (user, token) = (user.clone(), token.clone());
            Box::pin(async move {
                // Two nodes can start on one empty database; only one of them creates the first admin.
                if users::count_in(tx).await? == 0 {
                    users::insert(tx, &user).await?;
                    tokens::insert(tx, &token).await?;
                }
                Ok(())
            })
        });
        write.await
    }

    /// Replaces a user's password if the stored one is still `before`, and ends the user's sessions except the one with
    /// the hash `kept_session`. Returns the hashes of the ended sessions.
    pub async fn change_password(
        &self,
        user: UserId,
        before: Option<PasswordHash>,
        after: PasswordHash,
        kept_session: Option<String>,
    ) -> Result<Vec<String>, AccountError> {
        let write = self.db.write(move |tx| {
            let (before, after, kept) = (before.clone(), after.clone(), kept_session.clone());
            Box::pin(async move {
                let before = before.as_ref().map(PasswordHash::as_text);
                if !users::change_password(tx, user, before, after.as_text()).await? {
                    return Err(AccountError::PasswordChanged);
                }
                Ok(sessions::delete_others(tx, user, kept.as_deref()).await?)
            })
        });
        write.await
    }

    /// Removes an account. Its sessions and tokens end in the same transaction; its name is free again, and the history
    /// still shows it. An admin cannot remove the own account, so at least one admin is left.
    pub async fn remove_user(&self, by: UserId, user: UserId) -> Result<EndedAccess, AccountError> {
        if by == user {
            return Err(AccountError::OwnAccount);
        }
        let now = self.clock.now();
        let write = self.db.write(move |tx| {
            Box::pin(async move {
                // Both rows, in the same order for all: of two admins who remove each other, the second one fails.
                let mut found = None;
                for id in [by.min(user), by.max(user)] {
                    let row = users::lock(tx, id).await?;
                    match row {
                        Some(row) if id == user => found = Some(row),
                        Some(_) => {}
                        None => return Err(AccountError::UserMissing { id }),
                    }
                }
                let user = found.ok_or(AccountError::UserMissing { id: user })?;
                let sessions = sessions::delete_others(tx, user.id, None).await?;
                let tokens = tokens::revoke_all(tx, user.id, now).await?;
                users::remove(tx, user.id, now).await?;
                Ok(EndedAccess { user, sessions, tokens })
            })
        });
        write.await
    }

    pub(super) fn build_user(&self, spec: UserSpec, now: Timestamp) -> UserRow {
        UserRow {
            id: UserId::new(self.ids.next(now)),
            name: spec.name,
            password_hash: spec.password.map(|hash| hash.as_text().to_owned()),
            role: spec.role,
            created_at: now,
            removed_at: None,
        }
    }
}
