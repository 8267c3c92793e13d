//! Signing in (SPEC S-6).

use forge_api::{ChangePassword, Login, Me, SignedIn};
use http::Method;
use http::header::SET_COOKIE;

use crate::call::Call;
use crate::client::Client;
use crate::credential::Credential;
use crate::error::ClientError;

impl Client {
    /// Signs in with a password: who that is, and a client that calls as them while the session lasts.
    pub async fn sign_in(&self, login: &Login) -> Result<(SignedIn, Self), ClientError> {
        let answer = self.answered(Call::post("/auth/login").json(login)?).await?;
        let status = answer.status();
        let cookie = answer
            .headers()
            .get(SET_COOKIE)
            .ok_or_else(|| self.odd(status, "it came without a session"))?;
        let credential = Credential::session(cookie)?;
        let signed_in =
            serde_json::from_slice(answer.body()).map_err(|error| self.odd(status, error))?;
        Ok((signed_in, self.with_credential(credential)))
    }

    /// Ends the session that [`Client::sign_in`] began.
    pub async fn sign_out(&self) -> Result<(), ClientError> {
        self.perform(Call::post("/auth/logout")).await
    }

    /// Gives the caller another password.
    pub async fn change_password(&self, change: &ChangePassword) -> Result<(), ClientError> {
        self.perform(Call::new(Method::PUT, "/me").part("/password").json(change)?).await
    }

    /// As whom this client calls.
    pub async fn fetch_me(&self) -> Result<Me, ClientError> {
        self.fetch(Call::get("/auth/me")).await
    }
}
