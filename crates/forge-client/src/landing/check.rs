//! Methods for the checks of a project.

use forge_api::{CheckRecord, QuarantineRequest};
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

/// Sends the calls about the checks of a project.
#[derive(Debug, Clone, Copy)]
pub struct CheckClient<'a>(pub(crate) &'a ApiClient);

impl CheckClient<'_> {
    /// Fetches the statistics of a project's checks.
    pub async fn fetch(self, project: Uuid) -> Result<Vec<CheckRecord>, ClientError> {
        self.0.fetch(ApiCall::get("/projects").id(project).part("/checks")).await
    }

    /// Ignores the failures of a check for a limited time.
    pub async fn quarantine(
        self,
        project: Uuid,
        asked: &QuarantineRequest,
    ) -> Result<Vec<CheckRecord>, ClientError> {
        let call = ApiCall::post("/projects").id(project).part("/checks/quarantine");
        self.0.fetch(call.json(asked)?).await
    }
}
