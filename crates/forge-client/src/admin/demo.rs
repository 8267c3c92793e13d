//! Methods for the demonstration.

use forge_api::{DemoReport, DemoStarted};
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

/// Sends the calls about the demonstration.
#[derive(Debug, Clone, Copy)]
pub struct DemoClient<'a>(pub(crate) &'a ApiClient);

impl DemoClient<'_> {
    /// Creates a temporary repository and starts scripted agents on it.
    pub async fn start(self) -> Result<DemoStarted, ClientError> {
        self.0.fetch(ApiCall::post("/demo").waits_for_work()).await
    }

    /// Fetches the state of a demonstration.
    pub async fn fetch(self, project: Uuid) -> Result<DemoReport, ClientError> {
        self.0.fetch(ApiCall::get("/demo").id(project)).await
    }
}
