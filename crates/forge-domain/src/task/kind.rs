//! The kinds of task (SPEC §3.7): everything that runs code is one of them.

use serde::{Deserialize, Serialize};

/// What a task is for.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    /// A card on the board.
    #[default]
    Task,
    /// A person and an agent together.
    Session,
    /// A pipeline run.
    Run,
    /// An agent reads its messages.
    Triage,
}
