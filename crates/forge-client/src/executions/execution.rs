//! Methods for executions and their logs.

use forge_api::{
    ClaimResponse, ExecutionPulse, FailExecution, LogEventPage, LogEventQuery, LogPage, LogQuery,
    NewFollowUp, NewSteer, RescueResponse, RestartExecution, SteerResponse, StopExecution,
};
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

/// Sends the calls about executions and their logs.
#[derive(Debug, Clone, Copy)]
pub struct ExecutionClient<'a>(pub(crate) &'a ApiClient);

impl ExecutionClient<'_> {
    /// Fetches a part of an execution's output.
    pub async fn fetch_log(self, id: Uuid, query: &LogQuery) -> Result<LogPage, ClientError> {
        self.0.fetch(ApiCall::get("/executions").id(id).part("/log/raw").query(query)?).await
    }

    /// Fetches events of an execution's log.
    pub async fn fetch_log_events(
        self,
        id: Uuid,
        query: &LogEventQuery,
    ) -> Result<LogEventPage, ClientError> {
        self.0.fetch(ApiCall::get("/executions").id(id).part("/log").query(query)?).await
    }

    /// Continues the conversation of an execution that has ended.
    pub async fn follow_up(
        self,
        id: Uuid,
        message: &NewFollowUp,
    ) -> Result<ClaimResponse, ClientError> {
        self.0.fetch(ApiCall::post("/executions").id(id).part("/follow-up").json(message)?).await
    }

    /// Sends a message to a running agent.
    pub async fn steer(self, id: Uuid, message: &NewSteer) -> Result<SteerResponse, ClientError> {
        self.0.fetch(ApiCall::post("/executions").id(id).part("/steer").json(message)?).await
    }

    /// Fetches the activity of an execution.
    pub async fn fetch_pulse(self, id: Uuid) -> Result<ExecutionPulse, ClientError> {
        self.0.fetch(ApiCall::get("/executions").id(id).part("/pulse")).await
    }

    /// Stops an execution; its processes are gone when the answer arrives.
    pub async fn stop(
        self,
        id: Uuid,
        request: &StopExecution,
    ) -> Result<RescueResponse, ClientError> {
        let call = ApiCall::post("/executions").id(id).part("/stop");
        self.0.fetch(call.json(request)?.waits_for_work()).await
    }

    /// Restarts an execution.
    pub async fn restart(
        self,
        id: Uuid,
        request: &RestartExecution,
    ) -> Result<RescueResponse, ClientError> {
        let call = ApiCall::post("/executions").id(id).part("/restart");
        self.0.fetch(call.json(request)?.waits_for_work()).await
    }

    /// Marks an execution as failed.
    pub async fn fail(
        self,
        id: Uuid,
        request: &FailExecution,
    ) -> Result<RescueResponse, ClientError> {
        let call = ApiCall::post("/executions").id(id).part("/mark-failed");
        self.0.fetch(call.json(request)?.waits_for_work()).await
    }
}
