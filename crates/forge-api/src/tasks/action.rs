//! Actions that the caller can perform on a task now (SPEC T-11).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The kind of value that a parameter takes, so that a client can offer the right input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ParameterKind {
    /// One line of text.
    Text,
    /// Several lines of text.
    LongText,
    /// A whole number.
    Integer,
    /// `true` or `false`.
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
    /// The kind of its value.
    pub kind: ParameterKind,
    /// Whether the request must contain it.
    pub required: bool,
    /// The permitted values, if there are only a few; otherwise `null`.
    #[schema(required)]
    pub choices: Option<Vec<String>>,
}

/// An action that this caller can perform on the task now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ActionView {
    /// Name for programs, for example `claim`.
    pub name: String,
    /// The state that a move leads to; `null` for other actions.
    #[schema(required)]
    pub target: Option<String>,
    /// Label for people.
    pub label: String,
    /// The HTTP method.
    pub method: String,
    /// The path, starting at the server's root.
    pub path: String,
    /// The command of `forge` that does the same, with words in capitals to replace; `null` if there is none.
    #[serde(default)]
    #[schema(required)]
    pub command: Option<String>,
    /// The fields of the request body.
    pub parameters: Vec<ActionParameter>,
}
