//! Methods for dependencies between tasks.

use forge_api::{NewDependency, Page, PageQuery, TaskDependency};
use http::Method;
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

impl ApiClient {
    /// Lists the dependencies of a task.
    pub async fn fetch_dependencies(
        &self,
        task: Uuid,
        page: &PageQuery,
    ) -> Result<Page<TaskDependency>, ClientError> {
        self.fetch_task_list(task, "/dependencies", page).await
    }

    /// Makes a task wait for another.
    pub async fn add_dependency(
        &self,
        task: Uuid,
        dependency: &NewDependency,
    ) -> Result<TaskDependency, ClientError> {
        let call = ApiCall::post("/tasks").id(task).part("/dependencies");
        self.fetch(call.json(dependency)?).await
    }

    /// Removes a dependency between two tasks.
    pub async fn remove_dependency(&self, task: Uuid, other: Uuid) -> Result<(), ClientError> {
        let call = ApiCall::new(Method::DELETE, "/tasks").id(task);
        self.perform(call.part("/dependencies").id(other)).await
    }
}
