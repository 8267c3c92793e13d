//! The server itself (SPEC S-7).

use forge_api::{Health, Ready, RecoveryReport};
use serde_json::{Map, Value};

use crate::call::Call;
use crate::client::Client;
use crate::error::ClientError;

impl Client {
    /// What the server says about itself: its own version, git's, the database's.
    pub async fn fetch_system_info(&self) -> Result<Map<String, Value>, ClientError> {
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
