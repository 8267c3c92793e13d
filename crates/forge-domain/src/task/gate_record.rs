//! What is known of the last attempt at a gate (M-3 to M-5).

use crate::workflow::StateName;
use crate::{Assignee, ReceiptKey, Verdict};
use serde::{Deserialize, Serialize};

/// Begun anew with each attempt.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GateRecord {
    /// The gate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<StateName>,
    /// What the judge at work has said by a call; its last word before it ends counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// Judges that ended without a verdict anybody could read.
    #[serde(skip_serializing_if = "is_none")]
    pub unreadable: u32,
    /// Where the receipt of the checks is, if they passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt: Option<ReceiptKey>,
    /// Who let it pass, if it was not the checks alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<Approval>,
}

/// Somebody's word for the work: what a landed commit names as `Reviewed-by`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// Whose.
    pub by: Assignee,
    /// What they said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether it stands against the gate's own verdict: then there is no receipt, and landing asks for none.
    pub overrides: bool,
    /// The visit of the state in which it was given.
    pub visit: u64,
}

impl GateRecord {
    pub(super) fn is_blank(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a person let the work pass against the gate's own verdict.
    pub fn is_overridden(&self) -> bool {
        self.approval.as_ref().is_some_and(|approval| approval.overrides)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_none(count: &u32) -> bool {
    *count == 0
}
