//! Cancelling a task (SPEC T-12).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Request to cancel a task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CancelRequest {
    /// Why it is cancelled; the history records it.
    #[serde(default)]
    pub reason: Option<String>,
}
