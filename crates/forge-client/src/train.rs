//! Those who wait to land, and the checks they have to pass.

use forge_api::{CheckRecord, Quarantine, Train};
use uuid::Uuid;

use crate::call::Call;
use crate::client::Client;
use crate::error::ClientError;

impl Client {
    /// Who waits to land.
    pub async fn fetch_train(&self, project: Uuid) -> Result<Vec<Train>, ClientError> {
        self.fetch(Call::get("/projects").id(project).part("/train")).await
    }

    /// Lets nothing of a project land for now.
    pub async fn pause_train(&self, project: Uuid) -> Result<Vec<Train>, ClientError> {
        self.fetch(Call::post("/projects").id(project).part("/train/pause")).await
    }

    /// Lets it land again.
    pub async fn resume_train(&self, project: Uuid) -> Result<Vec<Train>, ClientError> {
        self.fetch(Call::post("/projects").id(project).part("/train/resume")).await
    }

    /// What is known of a project's checks.
    pub async fn fetch_checks(&self, project: Uuid) -> Result<Vec<CheckRecord>, ClientError> {
        self.fetch(Call::get("/projects").id(project).part("/checks")).await
    }

    /// Blames nobody for the failure of a check for a while.
    pub async fn quarantine_check(
        &self,
        project: Uuid,
        asked: &Quarantine,
    ) -> Result<Vec<CheckRecord>, ClientError> {
        let call = Call::post("/projects").id(project).part("/checks/quarantine");
        self.fetch(call.json(asked)?).await
    }
}
