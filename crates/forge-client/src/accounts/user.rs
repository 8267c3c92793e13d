//! Methods for users.

use forge_api::{NewUser, Page, PageQuery, User};
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

impl ApiClient {
    /// Lists the users.
    pub async fn fetch_users(&self, page: &PageQuery) -> Result<Page<User>, ClientError> {
        self.fetch(ApiCall::get("/users").query(page)?).await
    }

    /// Fetches one user.
    pub async fn fetch_user(&self, id: Uuid) -> Result<User, ClientError> {
        self.fetch(ApiCall::get("/users").id(id)).await
    }

    /// Creates a user.
    pub async fn create_user(&self, user: &NewUser) -> Result<User, ClientError> {
        self.fetch(ApiCall::post("/users").json(user)?).await
    }
}
