//! The actor behind an event or a change (SPEC §1).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// The actor behind an event or a change. It appears only in answers: the server identifies a caller by the token,
/// never by the content of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ActorView {
    /// A signed-in user.
    User {
        /// Identifier of the user.
        id: Uuid,
        /// The user's name; `null` if the server did not look it up.
        #[schema(required)]
        name: Option<String>,
    },
    /// An agent, acting in one of its executions.
    Agent {
        /// Identifier of the agent.
        id: Uuid,
        /// The execution it acted in.
        execution_id: Uuid,
        /// The agent's name; `null` if the server did not look it up.
        #[schema(required)]
        name: Option<String>,
    },
    /// Forge acting by itself.
    System {
        /// The component of Forge that acted.
        component: String,
    },
}
