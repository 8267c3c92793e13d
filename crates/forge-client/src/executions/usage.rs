//! Methods for usage and budgets.

use forge_api::UsageSum;
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

/// Sends the calls about usage and budgets.
#[derive(Debug, Clone, Copy)]
pub struct UsageClient<'a>(pub(crate) &'a ApiClient);

impl UsageClient<'_> {
    /// Fetches the usage of a task.
    pub async fn fetch_for_task(self, id: Uuid) -> Result<UsageSum, ClientError> {
        self.0.fetch(ApiCall::get("/tasks").id(id).part("/usage")).await
    }

    /// Fetches the usage of a project.
    pub async fn fetch_for_project(self, id: Uuid) -> Result<UsageSum, ClientError> {
        self.0.fetch(ApiCall::get("/projects").id(id).part("/usage")).await
    }

    /// Fetches the usage of an agent.
    pub async fn fetch_for_agent(self, id: Uuid) -> Result<UsageSum, ClientError> {
        self.0.fetch(ApiCall::get("/agents").id(id).part("/usage")).await
    }
}
