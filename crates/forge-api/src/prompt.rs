//! What an agent is told about a task (SPEC E-2).

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Whose prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PromptQuery {
    /// A role of the task's workflow; the one that carries the task if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
}

/// What a turn is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PromptPurpose {
    /// To change the tree.
    Work,
    /// To judge the change.
    Judge,
}

/// Exactly what a role would be told now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TaskPrompt {
    /// The role.
    pub role: String,
    /// What its turn is for.
    pub purpose: PromptPurpose,
    /// Whether the project has a template of its own for the role.
    pub customised: bool,
    /// The words.
    pub prompt: String,
}
