//! What a task waits for.

use forge_api::{Dependency, NewDependency, Page, PageQuery};
use http::Method;
use uuid::Uuid;

use crate::call::Call;
use crate::client::Client;
use crate::error::ClientError;

impl Client {
    /// What a task waits for.
    pub async fn fetch_dependencies(
        &self,
        task: Uuid,
        page: &PageQuery,
    ) -> Result<Page<Dependency>, ClientError> {
        self.fetch_part(task, "/dependencies", page).await
    }

    /// Makes a task wait for another.
    pub async fn add_dependency(
        &self,
        task: Uuid,
        dependency: &NewDependency,
    ) -> Result<Dependency, ClientError> {
        let call = Call::post("/tasks").id(task).part("/dependencies");
        self.fetch(call.json(dependency)?).await
    }

    /// Makes a task wait for another no longer.
    pub async fn remove_dependency(&self, task: Uuid, other: Uuid) -> Result<(), ClientError> {
        let call = Call::new(Method::DELETE, "/tasks").id(task);
        self.perform(call.part("/dependencies").id(other)).await
    }
}
