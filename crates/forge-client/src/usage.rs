//! What agents used, and what they may use.

use forge_api::UsageSum;
use uuid::Uuid;

use crate::call::Call;
use crate::client::Client;
use crate::error::ClientError;

impl Client {
    /// What a task's runs used.
    pub async fn fetch_task_usage(&self, id: Uuid) -> Result<UsageSum, ClientError> {
        self.fetch(Call::get("/tasks").id(id).part("/usage")).await
    }

    /// What all runs in a project used.
    pub async fn fetch_project_usage(&self, id: Uuid) -> Result<UsageSum, ClientError> {
        self.fetch(Call::get("/projects").id(id).part("/usage")).await
    }

    /// What all runs of an agent used.
    pub async fn fetch_agent_usage(&self, id: Uuid) -> Result<UsageSum, ClientError> {
        self.fetch(Call::get("/agents").id(id).part("/usage")).await
    }
}
