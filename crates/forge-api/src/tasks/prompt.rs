//! The prompt of an agent for a task (SPEC E-2).

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Query of a prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PromptQuery {
    /// A role of the task's workflow; the role that carries the task if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
}

/// The purpose of an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PromptPurpose {
    /// To change the files.
    Work,
    /// To review the change.
    Judge,
}

/// The exact prompt that a role would get now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TaskPrompt {
    /// The role that gets the prompt.
    pub role: String,
    /// The purpose of its execution.
    pub purpose: PromptPurpose,
    /// Whether the project has its own template for the role.
    pub customised: bool,
    /// The text of the prompt.
    pub prompt: String,
}
