//! Methods for the server itself (SPEC S-7).

use forge_api::{ReadinessReport, RecoveryReport, SystemInfo};

use crate::admin::backup_download::BackupDownload;
use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

/// Sends the calls about the server itself.
#[derive(Debug, Clone, Copy)]
pub struct SystemClient<'a>(pub(crate) &'a ApiClient);

impl SystemClient<'_> {
    /// Fetches versions and directories of the server.
    pub async fn fetch_info(self) -> Result<SystemInfo, ClientError> {
        self.0.fetch(ApiCall::get("/system/info")).await
    }

    /// Fetches what the server recovered at its last start.
    pub async fn fetch_recovery(self) -> Result<RecoveryReport, ClientError> {
        self.0.fetch(ApiCall::get("/system/recovery")).await
    }

    /// Checks whether the server can work.
    pub async fn fetch_readiness(self) -> Result<ReadinessReport, ClientError> {
        self.0.fetch(ApiCall::at_root("/readyz")).await
    }

    /// Starts the download of a copy of the server's database.
    pub async fn fetch_backup(self) -> Result<BackupDownload, ClientError> {
        let response = self.0.send_streaming(ApiCall::post("/system/backup")).await?;
        Ok(BackupDownload::new(self.0.clone(), response))
    }
}
