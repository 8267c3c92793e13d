//! The one-time link that `serve` prints on first run.

use forge_domain::{AccountRole, Timestamp, UserId};
use forge_store::tables::links::{self, OneTimeLinkRow};
use forge_store::tables::sessions;
use forge_store::tables::users::{self, UserRow};

use crate::accounts::account_error::AccountError;
use crate::accounts::accounts_handle::Accounts;
use crate::accounts::passwords::PasswordHash;
use crate::accounts::secrets::{PlainSecret, RandomnessError, SecretHash, fresh_code};
use crate::accounts::users::UserSpec;

/// The stored purpose of the first-run link.
const FIRST_RUN: &str = "first_run";

const LASTS_SECONDS: u64 = 3600;

/// The stored purpose of a link with which a user sets a password.
const SET_PASSWORD: &str = "set_password";

/// How long a user has to open the own link.
const USER_LINK_SECONDS: u64 = 3 * 24 * 3600;

/// The stored part of a link; the code itself is only in the link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OneTimeLink {
    /// Hash of the code.
    pub hash: SecretHash,
    /// When it expires.
    pub expires_at: Timestamp,
    /// When it was used.
    pub used_at: Option<Timestamp>,
}

/// Why a link does not sign in. Clients get the same answer for all reasons; the log may distinguish them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// No link has this code.
    #[error("this server has not printed this link; use the newest one")]
    Unknown,
    /// It was used before.
    #[error("the link was used before; restart `forge serve` on an empty server for a new one")]
    Used,
    /// It has expired.
    #[error("the link has expired; restart `forge serve` on an empty server for a new one")]
    Expired,
}

impl OneTimeLink {
    /// Creates a link: returns the code to print and the record to store.
    pub fn issue(now: Timestamp) -> Result<(PlainSecret, Self), RandomnessError> {
        let code = fresh_code()?;
        let link = Self {
            hash: SecretHash::of(code.expose()),
            expires_at: now.plus_seconds(LASTS_SECONDS),
            used_at: None,
        };
        Ok((code, link))
    }

    /// The link marked as used; store it in place of the old one by compare-and-swap on `used_at`.
    pub fn mark_used(&self, code: &PlainSecret, now: Timestamp) -> Result<Self, LinkError> {
        if self.hash != SecretHash::of(code.expose()) {
            return Err(LinkError::Unknown);
        }
        if self.used_at.is_some() {
            return Err(LinkError::Used);
        }
        if now >= self.expires_at {
            return Err(LinkError::Expired);
        }
        Ok(Self { used_at: Some(now), ..self.clone() })
    }
}

impl Accounts {
    /// Stores a link with which the first admin signs in; returns its code.
    pub async fn issue_first_run_link(&self) -> Result<PlainSecret, AccountError> {
        let (code, link) = OneTimeLink::issue(self.clock.now())?;
        let row = OneTimeLinkRow {
            hash: link.hash.to_text(),
            purpose: FIRST_RUN.to_owned(),
            user_id: None,
            expires_at: link.expires_at,
            used_at: link.used_at,
        };
        let write = self.db.write(move |tx| {
            let row = row.clone();
            Box::pin(async move { Ok::<_, AccountError>(links::insert(tx, &row).await?) })
        });
        write.await?;
        Ok(code)
    }

    /// Stores a link with which a user sets a password; the user's earlier links end. Returns its code, and when it
    /// expires.
    pub async fn issue_user_link(
        &self,
        user: UserId,
    ) -> Result<(PlainSecret, Timestamp), AccountError> {
        let code = fresh_code()?;
        let expires_at = self.clock.now().plus_seconds(USER_LINK_SECONDS);
        let row = OneTimeLinkRow {
            hash: SecretHash::of(code.expose()).to_text(),
            purpose: SET_PASSWORD.to_owned(),
            user_id: Some(user),
            expires_at,
            used_at: None,
        };
        let write = self.db.write(move |tx| {
            let row = row.clone();
            Box::pin(async move {
                if users::lock(tx, user).await?.is_none() {
                    return Err(AccountError::UserMissing { id: user });
                }
                links::delete_of_user(tx, user).await?;
                Ok(links::insert(tx, &row).await?)
            })
        });
        write.await?;
        Ok((code, expires_at))
    }

    /// The user of an unused link with this code; `None` for the link of the first start and for every other code.
    pub async fn load_link_owner(
        &self,
        code: &PlainSecret,
    ) -> Result<Option<UserId>, AccountError> {
        let hash = SecretHash::of(code.expose()).to_text();
        Ok(links::owner(&self.db, &hash, self.clock.now()).await?)
    }

    /// Uses the link of a user: sets the password and ends the user's other sessions. Returns the user, and the hashes
    /// of the ended sessions.
    pub async fn use_user_link(
        &self,
        code: &PlainSecret,
        name: Option<String>,
        password: PasswordHash,
    ) -> Result<(UserRow, Vec<String>), AccountError> {
        let (hash, now) = (SecretHash::of(code.expose()).to_text(), self.clock.now());
        let write = self.db.write(move |tx| {
            let (hash, name, password) = (hash.clone(), name.clone(), password.clone());
            Box::pin(async move {
                let link = links::use_once(tx, &hash, now).await?;
                let owner = link.and_then(|link| link.user_id);
                let owner = owner.ok_or(AccountError::LinkUnusable)?;
                let Some(mut user) = users::lock(tx, owner).await? else {
                    return Err(AccountError::LinkUnusable);
                };
                if name.is_some_and(|name| name != user.name) {
                    return Err(AccountError::LinkOfAnotherUser);
                }
                user.password_hash = Some(password.as_text().to_owned());
                users::update(tx, &user).await?;
                let ended = sessions::delete_others(tx, user.id, None).await?;
                Ok((user, ended))
            })
        });
        write.await
    }

    /// Uses the link with this code: creates the first admin.
    pub async fn use_first_run_link(
        &self,
        code: &PlainSecret,
        name: String,
        password: Option<PasswordHash>,
    ) -> Result<UserRow, AccountError> {
        let now = self.clock.now();
        let hash = SecretHash::of(code.expose()).to_text();
        let admin = self.build_user(UserSpec { name, password, role: AccountRole::Admin }, now);
        let row = admin.clone();
        let write = self.db.write(move |tx| {
            let (hash, row) = (hash.clone(), row.clone());
            Box::pin(async move {
                // A link works only while there is no user: an older one may still be in a terminal's history.
                if users::count_in(tx).await? > 0
                    || links::use_once(tx, &hash, now).await?.is_none()
                {
                    return Err(AccountError::LinkUnusable);
                }
                Ok(users::insert(tx, &row).await?)
            })
        });
        write.await?;
        Ok(admin)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_000_000);

    #[test]
    fn s_6_a_link_signs_in_once() {
        let (code, link) = OneTimeLink::issue(NOW).expect("random");
        let used = link.mark_used(&code, NOW).expect("the first use");
        assert_eq!(used.used_at, Some(NOW));
        assert_eq!(used.mark_used(&code, NOW), Err(LinkError::Used));
    }

    #[test]
    fn s_6_a_link_lasts_an_hour() {
        let (code, link) = OneTimeLink::issue(NOW).expect("random");
        assert!(link.mark_used(&code, NOW.plus_seconds(3599)).is_ok());
        let late = link.mark_used(&code, NOW.plus_seconds(3600));
        assert_eq!(late, Err(LinkError::Expired));
    }

    #[test]
    fn s_6_another_code_is_refused_and_keeps_the_link_valid() {
        let (code, link) = OneTimeLink::issue(NOW).expect("random");
        let other = fresh_code().expect("random");
        assert_eq!(link.mark_used(&other, NOW), Err(LinkError::Unknown));
        assert!(link.mark_used(&code, NOW).is_ok());
    }
}
