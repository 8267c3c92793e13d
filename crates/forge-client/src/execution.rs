//! Runs and their logs.

use forge_api::{
    Claimed, Execution, FailExecution, LogEventPage, LogEventQuery, LogPage, LogQuery, NewFollowUp,
    NewSteer, Pulse, Rescued, RestartExecution, Steered, StopExecution,
};
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

    /// Says something to an agent at work.
    pub async fn steer_execution(
        &self,
        id: Uuid,
        message: &NewSteer,
    ) -> Result<Steered, ClientError> {
        self.fetch(Call::post("/executions").id(id).part("/steer").json(message)?).await
    }

    /// How it is doing.
    pub async fn fetch_pulse(&self, id: Uuid) -> Result<Pulse, ClientError> {
        self.fetch(Call::get("/executions").id(id).part("/pulse")).await
    }

    /// Stops it; its processes are gone before the answer.
    pub async fn stop_execution(
        &self,
        id: Uuid,
        request: &StopExecution,
    ) -> Result<Rescued, ClientError> {
        let call = Call::post("/executions").id(id).part("/stop");
        self.fetch(call.json(request)?.waits_for_work()).await
    }

    /// Begins it anew.
    pub async fn restart_execution(
        &self,
        id: Uuid,
        request: &RestartExecution,
    ) -> Result<Rescued, ClientError> {
        let call = Call::post("/executions").id(id).part("/restart");
        self.fetch(call.json(request)?.waits_for_work()).await
    }

    /// Takes it for failed.
    pub async fn fail_execution(
        &self,
        id: Uuid,
        request: &FailExecution,
    ) -> Result<Rescued, ClientError> {
        let call = Call::post("/executions").id(id).part("/mark-failed");
        self.fetch(call.json(request)?.waits_for_work()).await
    }
}
