//! Who did something (SPEC §1).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Who did something. Only appears in answers: callers are identified by their token, never by what they claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Actor {
    /// A person.
    User {
        /// The user.
        id: Uuid,
        /// The user's name, where the server looked it up.
        #[schema(required)]
        name: Option<String>,
    },
    /// An agent, in one of its executions.
    Agent {
        /// The agent.
        id: Uuid,
        /// The execution it acted in.
        execution_id: Uuid,
        /// The agent's name, where the server looked it up.
        #[schema(required)]
        name: Option<String>,
    },
    /// Forge itself.
    System {
        /// Which part of it.
        component: String,
    },
}
