//! Browser sessions of signed-in users.

use std::time::Duration;

use forge_domain::UserId;
use forge_store::tables::sessions::{self, SessionRow};

use crate::accounts::account_error::AccountError;
use crate::accounts::accounts_handle::Accounts;
use crate::accounts::secrets::{PlainSecret, SecretHash, fresh_code};

const SESSION_LASTS: Duration = Duration::from_secs(30 * 24 * 3600);

/// A new session with the secret of its cookie, which is not stored.
#[derive(Debug, Clone)]
pub struct BrowserSession {
    pub secret: PlainSecret,
    /// Lifetime of the session.
    pub lasts: Duration,
}

impl Accounts {
    /// Opens a session for a user, and deletes expired sessions.
    pub async fn open_session(&self, user: UserId) -> Result<BrowserSession, AccountError> {
        let secret = fresh_code()?;
        let now = self.clock.now();
        let session = SessionRow {
            hash: SecretHash::of(secret.expose()).to_text(),
            user_id: user,
            created_at: now,
            expires_at: now.plus_seconds(SESSION_LASTS.as_secs()),
        };
        let write = self.db.write(move |tx| {
            let session = session.clone();
            Box::pin(async move {
                sessions::delete_expired(tx, now).await?;
                Ok::<_, AccountError>(sessions::insert(tx, &session).await?)
            })
        });
        write.await?;
        Ok(BrowserSession { secret, lasts: SESSION_LASTS })
    }

    /// Ends the session with this hash, if it exists.
    pub async fn end_session(&self, hash: String) -> Result<(), AccountError> {
        let write = self.db.write(move |tx| {
            let hash = hash.clone();
            Box::pin(async move { Ok::<_, AccountError>(sessions::delete(tx, &hash).await?) })
        });
        write.await?;
        Ok(())
    }
}
