//! Methods for automatic dispatch.

use forge_api::DispatchStatus;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

/// Sends the calls about automatic dispatch.
#[derive(Debug, Clone, Copy)]
pub struct DispatchClient<'a>(pub(crate) &'a ApiClient);

impl DispatchClient<'_> {
    /// Fetches the state of dispatch.
    pub async fn fetch(self) -> Result<DispatchStatus, ClientError> {
        self.0.fetch(ApiCall::get("/system/dispatch")).await
    }

    /// Pauses dispatch on the server.
    pub async fn pause(self) -> Result<DispatchStatus, ClientError> {
        self.0.fetch(ApiCall::post("/system/dispatch/pause")).await
    }

    /// Resumes dispatch on the server.
    pub async fn resume(self) -> Result<DispatchStatus, ClientError> {
        self.0.fetch(ApiCall::post("/system/dispatch/resume")).await
    }
}
