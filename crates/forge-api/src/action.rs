//! What a caller can do with a task now (SPEC T-11).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What kind of value a parameter takes, so that a client can offer the right input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ParameterKind {
    /// One line.
    Text,
    /// Several lines.
    LongText,
    /// A whole number.
    Integer,
    /// Yes or no.
    Boolean,
    /// One of `choices`.
    Choice,
    /// An agent's identifier.
    Agent,
    /// A user's identifier.
    User,
    /// A task's identifier.
    Task,
}

/// A field of the action's request body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ActionParameter {
    /// The field's name.
    pub name: String,
    /// What kind of value it takes.
    pub kind: ParameterKind,
    /// Whether it must be given.
    pub required: bool,
    /// The values it can have, where they are few.
    #[schema(required)]
    pub choices: Option<Vec<String>>,
}

/// Something this caller can do with the task now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Action {
    /// What it is, for programs.
    pub name: String,
    /// The state a move leads to.
    #[schema(required)]
    pub target: Option<String>,
    /// What it is, for people.
    pub label: String,
    /// The HTTP method.
    pub method: String,
    /// The path, from the server's root.
    pub path: String,
    /// What the request body takes.
    pub parameters: Vec<ActionParameter>,
}
