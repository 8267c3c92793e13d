//! Methods for reviews and decisions about them.

use forge_api::{
    ApproveReview, LogPage, LogQuery, NewVerdict, RejectReview, Review, ReviewResponse,
};
use uuid::Uuid;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

/// Sends the calls about reviews and decisions about them.
#[derive(Debug, Clone, Copy)]
pub struct ReviewClient<'a>(pub(crate) &'a ApiClient);

impl ReviewClient<'_> {
    /// Fetches a part of the output of an attempt's checks.
    pub async fn fetch_log(self, id: Uuid, query: &LogQuery) -> Result<LogPage, ClientError> {
        self.0.fetch(ApiCall::get("/reviews").id(id).part("/log").query(query)?).await
    }

    /// Gives the verdict of a reviewing execution.
    pub async fn give_verdict(
        self,
        execution: Uuid,
        verdict: &NewVerdict,
    ) -> Result<Review, ClientError> {
        self.0
            .fetch(ApiCall::post("/executions").id(execution).part("/verdict").json(verdict)?)
            .await
    }

    /// Approves the last attempt of a task.
    pub async fn approve(
        self,
        task: Uuid,
        attempt: u32,
        request: &ApproveReview,
    ) -> Result<ReviewResponse, ClientError> {
        let call = ApiCall::post("/tasks").id(task).part("/reviews").name(&attempt.to_string());
        self.0.fetch(call.part("/approve").json(request)?.waits_for_work()).await
    }

    /// Rejects the last attempt of a task and sends the work back.
    pub async fn reject(
        self,
        task: Uuid,
        attempt: u32,
        request: &RejectReview,
    ) -> Result<ReviewResponse, ClientError> {
        let call = ApiCall::post("/tasks").id(task).part("/reviews").name(&attempt.to_string());
        self.0.fetch(call.part("/reject").json(request)?.waits_for_work()).await
    }
}
