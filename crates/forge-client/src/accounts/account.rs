//! Sign-in and sign-out (SPEC S-6).

use forge_api::{
    CallerInfo, ChangePassword, LocalSignInRequest, LocalSignInResponse, LoginRequest,
    SignInResponse,
};
use http::Method;
use http::header::SET_COOKIE;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::credential::ClientCredential;
use crate::error::ClientError;

/// Sends the calls about the account of the caller.
#[derive(Debug, Clone, Copy)]
pub struct AccountClient<'a>(pub(crate) &'a ApiClient);

impl AccountClient<'_> {
    /// Signs in with a password. Returns the user and a client that uses the session.
    pub async fn sign_in(
        self,
        login: &LoginRequest,
    ) -> Result<(SignInResponse, ApiClient), ClientError> {
        let answer = self.0.send_and_read(ApiCall::post("/auth/login").json(login)?).await?;
        let status = answer.status();
        let cookie = answer
            .headers()
            .get(SET_COOKIE)
            .ok_or_else(|| self.0.unexpected_answer(status, "it contains no session cookie"))?;
        let credential = ClientCredential::session(cookie)?;
        let signed_in = serde_json::from_slice(answer.body())
            .map_err(|error| self.0.unexpected_answer(status, error))?;
        Ok((signed_in, self.0.with_credential(credential)))
    }

    /// Signs in with the credential in the server's data directory.
    pub async fn sign_in_locally(
        self,
        request: &LocalSignInRequest,
    ) -> Result<LocalSignInResponse, ClientError> {
        self.0.fetch(ApiCall::post("/auth/local").json(request)?).await
    }

    /// Ends the session that [`AccountClient::sign_in`] started.
    pub async fn sign_out(self) -> Result<(), ClientError> {
        self.0.perform(ApiCall::post("/auth/logout")).await
    }

    /// Changes the caller's password.
    pub async fn change_password(self, change: &ChangePassword) -> Result<(), ClientError> {
        self.0.perform(ApiCall::new(Method::PUT, "/me").part("/password").json(change)?).await
    }

    /// Fetches the identity of the caller.
    pub async fn fetch_me(self) -> Result<CallerInfo, ClientError> {
        self.0.fetch(ApiCall::get("/auth/me")).await
    }
}
