//! Methods for usage and budgets.

use forge_api::UsageSum;
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

impl ApiClient {
    /// Fetches the usage of a task.
    pub async fn fetch_task_usage(&self, id: Uuid) -> Result<UsageSum, ClientError> {
        self.fetch(ApiCall::get("/tasks").id(id).part("/usage")).await
    }

    /// Fetches the usage of a project.
    pub async fn fetch_project_usage(&self, id: Uuid) -> Result<UsageSum, ClientError> {
        self.fetch(ApiCall::get("/projects").id(id).part("/usage")).await
    }

    /// Fetches the usage of an agent.
    pub async fn fetch_agent_usage(&self, id: Uuid) -> Result<UsageSum, ClientError> {
        self.fetch(ApiCall::get("/agents").id(id).part("/usage")).await
    }
}
