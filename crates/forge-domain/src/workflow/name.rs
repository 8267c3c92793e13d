//! Names inside a workflow. States and roles have different types.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Wraps a name without checks.
            pub fn new(name: impl Into<String>) -> Self {
                Self(name.into())
            }

            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )+};
}

names! {
    /// Name of a state; never compared with a constant.
    StateName,
    /// Name of a role.
    RoleName,
    /// Identity of an immutable workflow: the hash of its definition.
    WorkflowHash,
}

/// The role whose executions direct the subtasks of their task.
const PLANNER: &str = "planner";

impl RoleName {
    /// Whether the executions of the role may direct the subtasks of their task (S-6), and leave a plan.
    pub fn is_planner(&self) -> bool {
        self.0 == PLANNER
    }
}
