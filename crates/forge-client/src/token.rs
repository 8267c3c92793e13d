//! Bearer tokens.

use forge_api::{CreatedToken, NewToken, Page, PageQuery, Token};
use uuid::Uuid;

use crate::call::Call;
use crate::client::Client;
use crate::error::ClientError;

impl Client {
    /// The caller's tokens, without their secrets.
    pub async fn fetch_tokens(&self, page: &PageQuery) -> Result<Page<Token>, ClientError> {
        self.fetch(Call::get("/tokens").query(page)?).await
    }

    /// Makes a token for the caller; its secret is in this answer only.
    pub async fn create_token(&self, token: &NewToken) -> Result<CreatedToken, ClientError> {
        self.fetch(Call::post("/tokens").json(token)?).await
    }

    /// Makes a token worthless.
    pub async fn revoke_token(&self, id: Uuid) -> Result<(), ClientError> {
        self.perform(Call::new(http::Method::DELETE, "/tokens").id(id)).await
    }
}
