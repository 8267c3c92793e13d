//! Runs and their logs.

use forge_api::{Execution, LogPage, LogQuery};
use uuid::Uuid;

use crate::call::Call;
use crate::client::Client;
use crate::error::ClientError;

impl Client {
    /// One run.
    pub async fn fetch_execution(&self, id: Uuid) -> Result<Execution, ClientError> {
        self.fetch(Call::get("/executions").id(id)).await
    }

    /// A part of a run's output.
    pub async fn fetch_log(&self, id: Uuid, query: &LogQuery) -> Result<LogPage, ClientError> {
        self.fetch(Call::get("/executions").id(id).part("/log").query(query)?).await
    }
}
