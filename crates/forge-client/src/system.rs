//! The server itself (SPEC S-7).

use forge_api::{Health, Ready, RecoveryReport, SystemInfo};

use crate::call::Call;
use crate::client::Client;
use crate::error::ClientError;

impl Client {
    /// Which programs and places the server works with.
    pub async fn fetch_system_info(&self) -> Result<SystemInfo, ClientError> {
        self.fetch(Call::get("/system/info")).await
    }

    /// What the last start had to put right.
    pub async fn fetch_recovery(&self) -> Result<RecoveryReport, ClientError> {
        self.fetch(Call::get("/system/recovery")).await
    }

    /// Whether the process answers.
    pub async fn fetch_health(&self) -> Result<Health, ClientError> {
        self.fetch(Call::at_root("/healthz")).await
    }

    /// Whether the server can do its work.
    pub async fn fetch_ready(&self) -> Result<Ready, ClientError> {
        self.fetch(Call::at_root("/readyz")).await
    }
}
