//! Record of the last attempt at a gate (M-3 to M-5).

use crate::workflow::StateName;
use crate::{Assignee, ReceiptKey, Verdict};
use serde::{Deserialize, Serialize};

/// Record of the last attempt; reset by each new attempt.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GateRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<StateName>,
    /// The verdict that the running judge gave by a call; the last one counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// Number of judges that ended without a readable verdict.
    #[serde(skip_serializing_if = "is_none")]
    pub unreadable: u32,
    /// Key of the checks' receipt, if they passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt: Option<ReceiptKey>,
    /// The approval, if the checks alone did not decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<Approval>,
}

/// An approval of the work; the landed commit names it as `Reviewed-by`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    pub by: Assignee,
    /// The given reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether it overrides the gate's own verdict: then there is no receipt, and landing requires none.
    pub overrides: bool,
    /// The visit of the state in which it was given.
    pub visit: u64,
}

impl GateRecord {
    pub(crate) fn is_blank(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a person overrode the gate's own verdict.
    pub fn is_overridden(&self) -> bool {
        self.approval.as_ref().is_some_and(|approval| approval.overrides)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_none(count: &u32) -> bool {
    *count == 0
}
