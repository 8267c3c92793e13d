//! Threaded notes on a task (SPEC T-21).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Actor;

/// Writes a comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewComment {
    /// Markdown.
    pub body: String,
    /// The comment this one answers.
    #[serde(default)]
    pub parent_id: Option<Uuid>,
}

/// A comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Comment {
    /// Identifier.
    pub id: Uuid,
    /// The task.
    pub task_id: Uuid,
    /// The comment this one answers.
    #[schema(required)]
    pub parent_id: Option<Uuid>,
    /// Who wrote it.
    pub author: Actor,
    /// Markdown.
    pub body: String,
    /// When.
    #[schema(format = DateTime)]
    pub at: String,
}
