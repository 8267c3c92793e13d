//! Methods for the server itself (SPEC S-7).

use forge_api::{HealthReport, ReadinessReport, RecoveryReport, SystemInfo};

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

impl ApiClient {
    /// Fetches versions and directories of the server.
    pub async fn fetch_system_info(&self) -> Result<SystemInfo, ClientError> {
        self.fetch(ApiCall::get("/system/info")).await
    }

    /// Fetches what the server recovered at its last start.
    pub async fn fetch_recovery(&self) -> Result<RecoveryReport, ClientError> {
        self.fetch(ApiCall::get("/system/recovery")).await
    }

    /// Checks whether the process answers.
    pub async fn fetch_health(&self) -> Result<HealthReport, ClientError> {
        self.fetch(ApiCall::at_root("/healthz")).await
    }

    /// Checks whether the server can work.
    pub async fn fetch_readiness(&self) -> Result<ReadinessReport, ClientError> {
        self.fetch(ApiCall::at_root("/readyz")).await
    }
}
