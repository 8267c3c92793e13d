//! Questions to the person in charge of a task (SPEC T-27).

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::ActorView;

/// Request to ask a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewQuestion {
    /// Text of the question.
    #[schema(min_length = 1, max_length = 20_000)]
    pub text: String,
    /// Whether the caller waits for the answer and fetches it. The answer is then not sent to the running agent, and
    /// reaches it as a message only if the caller does not confirm it.
    #[serde(default)]
    pub awaited: bool,
}

/// Request to answer a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewAnswer {
    /// Text of the answer.
    #[schema(min_length = 1, max_length = 100_000)]
    pub text: String,
}

/// Progress of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuestionStatus {
    /// It waits for an answer.
    Open,
    /// It has an answer.
    Answered,
    /// It has no answer and needs none: the task has ended, or a person moved it on.
    Closed,
}

/// A question on a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Question {
    /// The task it belongs to.
    pub task_id: Uuid,
    /// Number within the task, from 1.
    pub number: u32,
    /// Text of the question.
    pub text: String,
    /// Progress of the question.
    pub status: QuestionStatus,
    /// The execution or user that asked.
    pub asked_by: ActorView,
    /// The execution that asked, or, for a question of a user, the last one before it; `null` if there was none.
    #[schema(required)]
    pub execution_id: Option<Uuid>,
    /// Time of asking.
    #[schema(format = DateTime)]
    pub asked_at: String,
    /// The answer; `null` if there is none.
    #[schema(required)]
    pub answer: Option<String>,
    /// The author of the answer.
    #[schema(required)]
    pub answered_by: Option<ActorView>,
    /// When it was answered, or closed without an answer.
    #[schema(format = DateTime, required)]
    pub ended_at: Option<String>,
}

/// Query of one question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct QuestionQuery {
    /// Waits up to this many seconds while the question is open, at most 600; 0 does not wait.
    #[serde(default)]
    pub wait_seconds: Option<u32>,
}
