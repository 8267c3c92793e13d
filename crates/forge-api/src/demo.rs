//! The demonstration.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Phase;

/// A demonstration that has begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DemoStarted {
    /// The project to watch.
    pub project_id: Uuid,
    /// The throw-away repository, on the server's disk.
    pub repo_path: String,
}

/// How a demonstration stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Demo {
    /// Its project.
    pub project_id: Uuid,
    /// The throw-away repository, on the server's disk.
    pub repo_path: String,
    /// Nothing goes on by itself any more.
    pub finished: bool,
    /// Its tasks, the first made first.
    pub tasks: Vec<DemoTask>,
    /// What has landed, as `git log --oneline --graph` draws it.
    pub log: Vec<String>,
}

/// What became of a task of a demonstration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DemoTask {
    /// The task's number as people write it, for example `T-12`.
    pub key: String,
    /// Short label.
    pub title: String,
    /// The workflow state it is in.
    pub status: String,
    /// Which part of the board that state belongs to.
    pub phase: Phase,
    /// How often it came to a gate.
    pub attempts: u32,
    /// The commit it landed as; `null` if it has not.
    #[schema(required)]
    pub commit: Option<String>,
}
