//! Methods for merge trains.

use forge_api::MergeTrainStatus;
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

/// Sends the calls about merge trains.
#[derive(Debug, Clone, Copy)]
pub struct MergeTrainClient<'a>(pub(crate) &'a ApiClient);

impl MergeTrainClient<'_> {
    /// Fetches the merge trains of a project.
    pub async fn fetch(self, project: Uuid) -> Result<Vec<MergeTrainStatus>, ClientError> {
        self.0.fetch(ApiCall::get("/projects").id(project).part("/train")).await
    }

    /// Pauses landing in a project.
    pub async fn pause(self, project: Uuid) -> Result<Vec<MergeTrainStatus>, ClientError> {
        self.0.fetch(ApiCall::post("/projects").id(project).part("/train/pause")).await
    }

    /// Resumes landing in a project.
    pub async fn resume(self, project: Uuid) -> Result<Vec<MergeTrainStatus>, ClientError> {
        self.0.fetch(ApiCall::post("/projects").id(project).part("/train/resume")).await
    }
}
