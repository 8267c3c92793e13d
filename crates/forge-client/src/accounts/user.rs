//! Methods for users.

use forge_api::{Page, PageQuery, User};
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

/// Sends the calls about users.
#[derive(Debug, Clone, Copy)]
pub struct UserClient<'a>(pub(crate) &'a ApiClient);

impl UserClient<'_> {
    /// Lists the users.
    pub async fn fetch_page(self, page: &PageQuery) -> Result<Page<User>, ClientError> {
        self.0.fetch(ApiCall::get("/users").query(page)?).await
    }

    /// Fetches one user.
    pub async fn fetch(self, id: Uuid) -> Result<User, ClientError> {
        self.0.fetch(ApiCall::get("/users").id(id)).await
    }
}
