//! Runs and their logs.

use forge_api::{Claimed, Execution, LogEventPage, LogEventQuery, LogPage, LogQuery, NewFollowUp};
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
        self.fetch(Call::get("/executions").id(id).part("/log/raw").query(query)?).await
    }

    /// Some events of a run's log.
    pub async fn fetch_log_events(
        &self,
        id: Uuid,
        query: &LogEventQuery,
    ) -> Result<LogEventPage, ClientError> {
        self.fetch(Call::get("/executions").id(id).part("/log").query(query)?).await
    }

    /// Goes on with the conversation of a run that is over.
    pub async fn follow_up(&self, id: Uuid, message: &NewFollowUp) -> Result<Claimed, ClientError> {
        self.fetch(Call::post("/executions").id(id).part("/follow-up").json(message)?).await
    }
}
