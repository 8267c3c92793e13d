//! Calling a task off (SPEC T-12).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Ends a task for good.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Cancel {
    /// Why, for the history.
    #[serde(default)]
    pub reason: Option<String>,
}
