//! Agents.

use forge_api::{Agent, AgentPatch, AgentsCheck, NewAgent, Page, PageQuery};
use http::Method;
use uuid::Uuid;

use crate::call::Call;
use crate::client::Client;
use crate::error::ClientError;

impl Client {
    /// All agents.
    pub async fn fetch_agents(&self, page: &PageQuery) -> Result<Page<Agent>, ClientError> {
        self.fetch(Call::get("/agents").query(page)?).await
    }

    /// One agent.
    pub async fn fetch_agent(&self, id: Uuid) -> Result<Agent, ClientError> {
        self.fetch(Call::get("/agents").id(id)).await
    }

    /// Who works, who is stuck, what failed and what was left.
    pub async fn check_agents(&self) -> Result<AgentsCheck, ClientError> {
        self.fetch(Call::get("/agents/check")).await
    }

    /// Creates an agent.
    pub async fn create_agent(&self, agent: &NewAgent) -> Result<Agent, ClientError> {
        self.fetch(Call::post("/agents").json(agent)?).await
    }

    /// Changes an agent; what is left out stays.
    pub async fn update_agent(&self, id: Uuid, patch: &AgentPatch) -> Result<Agent, ClientError> {
        self.fetch(Call::new(Method::PATCH, "/agents").id(id).json(patch)?).await
    }

    /// Keeps an agent from taking new work.
    pub async fn pause_agent(&self, id: Uuid) -> Result<Agent, ClientError> {
        self.fetch(Call::post("/agents").id(id).part("/pause")).await
    }

    /// Lets an agent take work again.
    pub async fn resume_agent(&self, id: Uuid) -> Result<Agent, ClientError> {
        self.fetch(Call::post("/agents").id(id).part("/resume")).await
    }
}
