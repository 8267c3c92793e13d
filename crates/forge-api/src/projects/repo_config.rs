//! Differences between a repository's git settings and the server's copy of them (SPEC W-19).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Differences between a repository's current git settings and the server's copy. The server makes the copy when the
/// repository is registered, and renews it when an admin accepts the differences.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RepoConfig {
    /// Whether a difference parks tasks of the repository at their gate or landing.
    pub holds: bool,
    /// The list of differences.
    pub changes: Vec<RepoConfigChange>,
}

/// One setting, or one attributes or ignore file, that differs from the server's copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RepoConfigChange {
    /// Name of the setting, such as `filter.x.clean`, or of the file.
    pub key: String,
    /// The file that contains or contained it.
    pub file: String,
    /// The kind of change.
    pub kind: RepoConfigChangeKind,
    /// Whether git could start programs or convert files because of it, so that Forge parks tasks.
    pub holds: bool,
    /// Why the settings cannot be read; `null` if they can.
    #[schema(required)]
    pub reason: Option<String>,
}

/// The kind of change to a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RepoConfigChangeKind {
    /// The setting is new.
    Added,
    /// The value is different.
    Changed,
    /// The setting is gone.
    Removed,
    /// The settings can no longer be read.
    Unreadable,
}
