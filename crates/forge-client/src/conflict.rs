//! Live branches that clash with each other.

use forge_api::Conflicts;
use uuid::Uuid;

use crate::call::Call;
use crate::client::Client;
use crate::error::ClientError;

impl Client {
    /// The live branches of a project, and which of them clash.
    pub async fn fetch_conflicts(&self, project: Uuid) -> Result<Conflicts, ClientError> {
        self.fetch(Call::get("/projects").id(project).part("/conflicts")).await
    }
}
