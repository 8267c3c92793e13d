//! Methods for conflicts between live branches.

use forge_api::ConflictList;
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

impl ApiClient {
    /// Fetches the live branches of a project and the conflicts between them.
    pub async fn fetch_conflicts(&self, project: Uuid) -> Result<ConflictList, ClientError> {
        self.fetch(ApiCall::get("/projects").id(project).part("/conflicts")).await
    }
}
