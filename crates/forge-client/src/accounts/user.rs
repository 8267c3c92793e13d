//! Methods for users.

use forge_api::{NewUser, Page, PageQuery, User, UserLink};
use http::Method;
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

    /// Creates a user.
    pub async fn create(self, user: &NewUser) -> Result<User, ClientError> {
        self.0.fetch(ApiCall::post("/users").json(user)?).await
    }

    /// Makes a link with which a user sets a password.
    pub async fn create_link(self, id: Uuid) -> Result<UserLink, ClientError> {
        self.0.fetch(ApiCall::post("/users").id(id).part("/link")).await
    }

    /// Removes a user.
    pub async fn remove(self, id: Uuid) -> Result<(), ClientError> {
        self.0.perform(ApiCall::new(Method::DELETE, "/users").id(id)).await
    }
}
