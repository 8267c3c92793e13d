//! People.

use forge_api::{NewUser, Page, PageQuery, User};
use uuid::Uuid;

use crate::call::Call;
use crate::client::Client;
use crate::error::ClientError;

impl Client {
    /// All users.
    pub async fn fetch_users(&self, page: &PageQuery) -> Result<Page<User>, ClientError> {
        self.fetch(Call::get("/users").query(page)?).await
    }

    /// One user.
    pub async fn fetch_user(&self, id: Uuid) -> Result<User, ClientError> {
        self.fetch(Call::get("/users").id(id)).await
    }

    /// Creates a user.
    pub async fn create_user(&self, user: &NewUser) -> Result<User, ClientError> {
        self.fetch(Call::post("/users").json(user)?).await
    }
}
