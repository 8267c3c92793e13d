//! Attempts at gates, and what is decided about them.

use forge_api::{ApproveReview, LogPage, LogQuery, NewVerdict, RejectReview, Review, Reviewed};
use uuid::Uuid;

use crate::call::Call;
use crate::client::Client;
use crate::error::ClientError;

impl Client {
    /// A part of the output of an attempt's checks.
    pub async fn fetch_review_log(
        &self,
        id: Uuid,
        query: &LogQuery,
    ) -> Result<LogPage, ClientError> {
        self.fetch(Call::get("/reviews").id(id).part("/log").query(query)?).await
    }

    /// Says what the reviewer of this run thinks.
    pub async fn give_verdict(
        &self,
        execution: Uuid,
        verdict: &NewVerdict,
    ) -> Result<Review, ClientError> {
        self.fetch(Call::post("/executions").id(execution).part("/verdict").json(verdict)?).await
    }

    /// Lets the last attempt of a task pass.
    pub async fn approve_review(
        &self,
        task: Uuid,
        attempt: u32,
        request: &ApproveReview,
    ) -> Result<Reviewed, ClientError> {
        let call = Call::post("/tasks").id(task).part("/reviews").name(&attempt.to_string());
        self.fetch(call.part("/approve").json(request)?.waits_for_work()).await
    }

    /// Sends the work of a task's last attempt back.
    pub async fn reject_review(
        &self,
        task: Uuid,
        attempt: u32,
        request: &RejectReview,
    ) -> Result<Reviewed, ClientError> {
        let call = Call::post("/tasks").id(task).part("/reviews").name(&attempt.to_string());
        self.fetch(call.part("/reject").json(request)?.waits_for_work()).await
    }
}
