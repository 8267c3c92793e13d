//! Methods for merge trains and the checks of a project.

use forge_api::{CheckRecord, MergeTrainStatus, QuarantineRequest};
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

impl ApiClient {
    /// Fetches the merge trains of a project.
    pub async fn fetch_train(&self, project: Uuid) -> Result<Vec<MergeTrainStatus>, ClientError> {
        self.fetch(ApiCall::get("/projects").id(project).part("/train")).await
    }

    /// Pauses landing in a project.
    pub async fn pause_train(&self, project: Uuid) -> Result<Vec<MergeTrainStatus>, ClientError> {
        self.fetch(ApiCall::post("/projects").id(project).part("/train/pause")).await
    }

    /// Resumes landing in a project.
    pub async fn resume_train(&self, project: Uuid) -> Result<Vec<MergeTrainStatus>, ClientError> {
        self.fetch(ApiCall::post("/projects").id(project).part("/train/resume")).await
    }

    /// Fetches the statistics of a project's checks.
    pub async fn fetch_checks(&self, project: Uuid) -> Result<Vec<CheckRecord>, ClientError> {
        self.fetch(ApiCall::get("/projects").id(project).part("/checks")).await
    }

    /// Ignores the failures of a check for a limited time.
    pub async fn quarantine_check(
        &self,
        project: Uuid,
        asked: &QuarantineRequest,
    ) -> Result<Vec<CheckRecord>, ClientError> {
        let call = ApiCall::post("/projects").id(project).part("/checks/quarantine");
        self.fetch(call.json(asked)?).await
    }
}
