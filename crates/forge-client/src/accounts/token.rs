//! Methods for bearer tokens.

use forge_api::{CreatedToken, NewToken};
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

/// Sends the calls about bearer tokens.
#[derive(Debug, Clone, Copy)]
pub struct TokenClient<'a>(pub(crate) &'a ApiClient);

impl TokenClient<'_> {
    /// Creates a token for the caller; only this answer contains its secret.
    pub async fn create(self, token: &NewToken) -> Result<CreatedToken, ClientError> {
        self.0.fetch(ApiCall::post("/tokens").json(token)?).await
    }

    /// Revokes a token.
    pub async fn revoke(self, id: Uuid) -> Result<(), ClientError> {
        self.0.perform(ApiCall::new(http::Method::DELETE, "/tokens").id(id)).await
    }
}
