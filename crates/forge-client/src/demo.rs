//! The demonstration.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::call::Call;
use crate::client::Client;
use crate::error::ClientError;

/// A demonstration that runs now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DemoStarted {
    /// The project to watch.
    pub project_id: Uuid,
    /// The throw-away repository, on the server's disk.
    pub repo_path: String,
}

impl Client {
    /// Makes a throw-away repository and lets scripted agents work on it.
    pub async fn start_demo(&self) -> Result<DemoStarted, ClientError> {
        self.fetch(Call::post("/demo").waits_for_work()).await
    }
}
