//! Sign-in by a program of the server's own user, which the server recognises by its local credential.

use forge_domain::{AccountRole, TokenAccess};
use forge_store::tables::users::UserRow;
use forge_store::tables::{tokens, users};

use crate::accounts::access_tokens::{AccessTokenSpec, IssuedAccessToken};
use crate::accounts::account_error::AccountError;
use crate::accounts::accounts_handle::Accounts;
use crate::accounts::secrets::fresh_token;
use crate::accounts::users::UserSpec;

/// A local sign-in: the user that the credential belongs to, and a new token of that user.
#[derive(Debug, Clone)]
pub struct LocalSignIn {
    pub user: UserRow,
    /// Whether the sign-in created the user.
    pub is_new_user: bool,
    pub token: IssuedAccessToken,
}

impl Accounts {
    /// Issues a token to the first admin; on a server without users it creates that admin. The caller has checked the
    /// names with [`check_name`](crate::check_name).
    pub async fn sign_in_locally(
        &self,
        user_name: String,
        token_name: String,
    ) -> Result<LocalSignIn, AccountError> {
        let (now, secret) = (self.clock.now(), fresh_token()?);
        let spec = UserSpec { name: user_name, password: None, role: AccountRole::Admin };
        let fresh = self.build_user(spec, now);
        let spec = AccessTokenSpec {
            user: fresh.id,
            name: token_name,
            access: TokenAccess::Full,
            expires_in_seconds: None,
        };
        let token = self.build_token(spec, &secret, now);
        let write = self.db.write(move |tx| {
            let (fresh, mut token) = (fresh.clone(), token.clone());
            Box::pin(async move {
                // In one transaction, so that two concurrent sign-ins create one admin.
                let is_new_user = users::count_in(tx).await? == 0;
                let user = if is_new_user {
                    users::insert(tx, &fresh).await?;
                    fresh
                } else {
                    users::first_admin_in(tx).await?.ok_or(AccountError::NoAdmin)?
                };
                token.user_id = user.id;
                tokens::insert(tx, &token).await?;
                Ok::<_, AccountError>((user, is_new_user, token))
            })
        });
        let (user, is_new_user, token) = write.await?;
        Ok(LocalSignIn { user, is_new_user, token: IssuedAccessToken { token, secret } })
    }
}
