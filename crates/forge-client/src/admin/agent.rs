//! Methods for agents.

use forge_api::{
    Agent, AgentEnvironment, AgentPatch, AgentProbe, AgentsCheck, NewAgent, Page, PageQuery,
};
use http::Method;
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

/// Sends the calls about agents.
#[derive(Debug, Clone, Copy)]
pub struct AgentClient<'a>(pub(crate) &'a ApiClient);

impl AgentClient<'_> {
    /// Lists the agents.
    pub async fn fetch_page(self, page: &PageQuery) -> Result<Page<Agent>, ClientError> {
        self.0.fetch(ApiCall::get("/agents").query(page)?).await
    }

    /// Fetches one agent.
    pub async fn fetch(self, id: Uuid) -> Result<Agent, ClientError> {
        self.0.fetch(ApiCall::get("/agents").id(id)).await
    }

    /// Fetches the names of an agent's environment variables.
    pub async fn fetch_environment(self, id: Uuid) -> Result<AgentEnvironment, ClientError> {
        self.0.fetch(ApiCall::get("/agents").id(id).part("/environment")).await
    }

    /// Fetches the overview of running, stuck, failed and abandoned executions.
    pub async fn check_all(self) -> Result<AgentsCheck, ClientError> {
        self.0.fetch(ApiCall::get("/agents/check")).await
    }

    /// Creates an agent.
    pub async fn create(self, agent: &NewAgent) -> Result<Agent, ClientError> {
        self.0.fetch(ApiCall::post("/agents").json(agent)?).await
    }

    /// Changes an agent; fields that are left out stay as they are.
    pub async fn update(self, id: Uuid, patch: &AgentPatch) -> Result<Agent, ClientError> {
        self.0.fetch(ApiCall::new(Method::PATCH, "/agents").id(id).json(patch)?).await
    }

    /// Removes an agent.
    pub async fn remove(self, id: Uuid) -> Result<(), ClientError> {
        self.0.perform(ApiCall::new(Method::DELETE, "/agents").id(id)).await
    }

    /// Pauses an agent: it gets no new work.
    pub async fn pause(self, id: Uuid) -> Result<Agent, ClientError> {
        self.0.fetch(ApiCall::post("/agents").id(id).part("/pause")).await
    }

    /// Resumes a paused agent.
    pub async fn resume(self, id: Uuid) -> Result<Agent, ClientError> {
        self.0.fetch(ApiCall::post("/agents").id(id).part("/resume")).await
    }

    /// Checks an agent's program on the server.
    pub async fn probe(self, id: Uuid) -> Result<AgentProbe, ClientError> {
        self.0.fetch(ApiCall::post("/agents").id(id).part("/probe")).await
    }
}
