//! Comments on a task, in threads (SPEC T-21).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::ActorView;

/// Request to write a comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewComment {
    /// The text, in Markdown.
    #[schema(min_length = 1, max_length = 100_000)]
    pub body: String,
    /// The comment that this one answers.
    #[serde(default)]
    pub parent_id: Option<Uuid>,
}

/// A comment on a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Comment {
    pub id: Uuid,
    /// The task it belongs to.
    pub task_id: Uuid,
    /// The comment that this one answers.
    #[schema(required)]
    pub parent_id: Option<Uuid>,
    /// The author of the comment.
    pub author: ActorView,
    /// The text, in Markdown.
    pub body: String,
    /// Time of writing.
    #[schema(format = DateTime)]
    pub at: String,
}
