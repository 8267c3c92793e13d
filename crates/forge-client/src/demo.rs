//! The demonstration.

use forge_api::{Demo, DemoStarted};
use uuid::Uuid;

use crate::call::Call;
use crate::client::Client;
use crate::error::ClientError;

impl Client {
    /// Makes a throw-away repository and lets scripted agents work on it.
    pub async fn start_demo(&self) -> Result<DemoStarted, ClientError> {
        self.fetch(Call::post("/demo").waits_for_work()).await
    }

    /// How a demonstration stands.
    pub async fn fetch_demo(&self, project: Uuid) -> Result<Demo, ClientError> {
        self.fetch(Call::get("/demo").id(project)).await
    }
}
