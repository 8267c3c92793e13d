//! Access tokens of users.

use forge_domain::{Timestamp, TokenAccess, TokenId, UserId};
use forge_store::tables::tokens::{self, TokenRow};

use crate::accounts::account_error::AccountError;
use crate::accounts::accounts_handle::Accounts;
use crate::accounts::secrets::{PlainSecret, SecretHash, fresh_token};

/// An access token to create. The caller has checked the name with [`check_name`](crate::check_name).
#[derive(Debug, Clone)]
pub struct AccessTokenSpec {
    /// The owner of the token.
    pub user: UserId,
    pub name: String,
    pub access: TokenAccess,
    /// Lifetime of the token; without one it is valid until it is revoked.
    pub expires_in_seconds: Option<u64>,
}

/// A new token with its secret, which is not stored.
#[derive(Debug, Clone)]
pub struct IssuedAccessToken {
    pub token: TokenRow,
    pub secret: PlainSecret,
}

impl Accounts {
    /// Creates an access token.
    pub async fn create_token(
        &self,
        spec: AccessTokenSpec,
    ) -> Result<IssuedAccessToken, AccountError> {
        let secret = fresh_token()?;
        let token = self.build_token(spec, &secret, self.clock.now());
        let row = token.clone();
        let write = self.db.write(move |tx| {
            let row = row.clone();
            Box::pin(async move { Ok::<_, AccountError>(tokens::insert(tx, &row).await?) })
        });
        write.await?;
        Ok(IssuedAccessToken { token, secret })
    }

    /// Revokes a token. Returns false if it does not exist or was revoked before.
    pub async fn revoke_token(&self, id: TokenId) -> Result<bool, AccountError> {
        let now = self.clock.now();
        let write = self.db.write(move |tx| {
            Box::pin(async move { Ok::<_, AccountError>(tokens::revoke(tx, id, now).await?) })
        });
        write.await
    }

    /// Records the time at which a token was used.
    pub async fn record_token_use(&self, id: TokenId, at: Timestamp) -> Result<(), AccountError> {
        let write = self.db.write(move |tx| {
            Box::pin(async move { Ok::<_, AccountError>(tokens::touch(tx, id, at).await?) })
        });
        write.await
    }

    pub(super) fn build_token(
        &self,
        spec: AccessTokenSpec,
        secret: &PlainSecret,
        now: Timestamp,
    ) -> TokenRow {
        TokenRow {
            id: TokenId::new(self.ids.next(now)),
            user_id: spec.user,
            name: spec.name,
            hash: SecretHash::of(secret.expose()).to_text(),
            scope: spec.access,
            created_at: now,
            last_used_at: None,
            expires_at: spec.expires_in_seconds.map(|seconds| now.plus_seconds(seconds)),
            revoked_at: None,
        }
    }
}
