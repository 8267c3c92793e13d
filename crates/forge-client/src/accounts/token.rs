//! Methods for bearer tokens.

use forge_api::{ApiToken, CreatedToken, NewToken, Page, PageQuery};
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

impl ApiClient {
    /// Lists the caller's tokens, without their secrets.
    pub async fn fetch_tokens(&self, page: &PageQuery) -> Result<Page<ApiToken>, ClientError> {
        self.fetch(ApiCall::get("/tokens").query(page)?).await
    }

    /// Creates a token for the caller; only this answer contains its secret.
    pub async fn create_token(&self, token: &NewToken) -> Result<CreatedToken, ClientError> {
        self.fetch(ApiCall::post("/tokens").json(token)?).await
    }

    /// Revokes a token.
    pub async fn revoke_token(&self, id: Uuid) -> Result<(), ClientError> {
        self.perform(ApiCall::new(http::Method::DELETE, "/tokens").id(id)).await
    }
}
