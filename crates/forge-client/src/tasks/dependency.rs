//! Methods for dependencies between tasks.

use forge_api::{NewDependency, TaskDependency};
use http::Method;
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

/// Sends the calls about dependencies between tasks.
#[derive(Debug, Clone, Copy)]
pub struct DependencyClient<'a>(pub(crate) &'a ApiClient);

impl DependencyClient<'_> {
    /// Makes a task wait for another.
    pub async fn add(
        self,
        task: Uuid,
        dependency: &NewDependency,
    ) -> Result<TaskDependency, ClientError> {
        let call = ApiCall::post("/tasks").id(task).part("/dependencies");
        self.0.fetch(call.json(dependency)?).await
    }

    /// Removes a dependency between two tasks.
    pub async fn remove(self, task: Uuid, other: Uuid) -> Result<(), ClientError> {
        let call = ApiCall::new(Method::DELETE, "/tasks").id(task);
        self.0.perform(call.part("/dependencies").id(other)).await
    }
}
