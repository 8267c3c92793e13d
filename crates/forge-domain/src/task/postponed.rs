//! A run that begins later by itself. Until then nobody works: it takes up no agent's place.

use super::{FollowUp, Purpose};
use crate::workflow::RoleName;
use crate::{AgentId, Timestamp};
use serde::{Deserialize, Serialize};

/// What is to be begun, and what it waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Postponed {
    /// In which role.
    pub role: RoleName,
    /// By whom.
    pub agent: AgentId,
    /// What for.
    pub purpose: Purpose,
    /// The conversation it goes on with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow_up: Option<FollowUp>,
    /// What it is told besides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<String>,
    /// What it waits for.
    pub cause: Postponement,
}

/// Why a run does not begin at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Postponement {
    /// The agent's allowance is used up (E-9).
    Quota {
        /// When it is asked again.
        until: Timestamp,
    },
    /// A budget is used up (E-8).
    Budget,
}
