//! Methods for the demonstration.

use forge_api::{DemoReport, DemoStarted};
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

impl ApiClient {
    /// Creates a temporary repository and starts scripted agents on it.
    pub async fn start_demo(&self) -> Result<DemoStarted, ClientError> {
        self.fetch(ApiCall::post("/demo").waits_for_work()).await
    }

    /// Fetches the state of a demonstration.
    pub async fn fetch_demo(&self, project: Uuid) -> Result<DemoReport, ClientError> {
        self.fetch(ApiCall::get("/demo").id(project)).await
    }
}
