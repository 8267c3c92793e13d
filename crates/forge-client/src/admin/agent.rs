//! Methods for agents.

use forge_api::{
    Agent, AgentEnvironment, AgentPatch, AgentProbe, AgentsCheck, NewAgent, Page, PageQuery,
};
use http::Method;
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

impl ApiClient {
    /// Lists the agents.
    pub async fn fetch_agents(&self, page: &PageQuery) -> Result<Page<Agent>, ClientError> {
        self.fetch(ApiCall::get("/agents").query(page)?).await
    }

    /// Fetches one agent.
    pub async fn fetch_agent(&self, id: Uuid) -> Result<Agent, ClientError> {
        self.fetch(ApiCall::get("/agents").id(id)).await
    }

    /// Fetches the names of an agent's environment variables.
    pub async fn fetch_agent_environment(&self, id: Uuid) -> Result<AgentEnvironment, ClientError> {
        self.fetch(ApiCall::get("/agents").id(id).part("/environment")).await
    }

    /// Fetches the overview of running, stuck, failed and abandoned executions.
    pub async fn check_agents(&self) -> Result<AgentsCheck, ClientError> {
        self.fetch(ApiCall::get("/agents/check")).await
    }

    /// Creates an agent.
    pub async fn create_agent(&self, agent: &NewAgent) -> Result<Agent, ClientError> {
        self.fetch(ApiCall::post("/agents").json(agent)?).await
    }

    /// Changes an agent; fields that are left out stay as they are.
    pub async fn update_agent(&self, id: Uuid, patch: &AgentPatch) -> Result<Agent, ClientError> {
        self.fetch(ApiCall::new(Method::PATCH, "/agents").id(id).json(patch)?).await
    }

    /// Pauses an agent: it gets no new work.
    pub async fn pause_agent(&self, id: Uuid) -> Result<Agent, ClientError> {
        self.fetch(ApiCall::post("/agents").id(id).part("/pause")).await
    }

    /// Resumes a paused agent.
    pub async fn resume_agent(&self, id: Uuid) -> Result<Agent, ClientError> {
        self.fetch(ApiCall::post("/agents").id(id).part("/resume")).await
    }

    /// Checks an agent's program on the server.
    pub async fn probe_agent(&self, id: Uuid) -> Result<AgentProbe, ClientError> {
        self.fetch(ApiCall::post("/agents").id(id).part("/probe")).await
    }
}
