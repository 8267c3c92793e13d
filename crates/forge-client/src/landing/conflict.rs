//! Methods for conflicts between live branches.

use forge_api::ConflictList;
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

/// Sends the calls about conflicts between live branches.
#[derive(Debug, Clone, Copy)]
pub struct ConflictClient<'a>(pub(crate) &'a ApiClient);

impl ConflictClient<'_> {
    /// Fetches the live branches of a project and the conflicts between them.
    pub async fn fetch(self, project: Uuid) -> Result<ConflictList, ClientError> {
        self.0.fetch(ApiCall::get("/projects").id(project).part("/conflicts")).await
    }
}
