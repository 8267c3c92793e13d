//! Kinds of tasks (SPEC §3.7): everything that runs code is one of them.

use serde::{Deserialize, Serialize};

/// The kind of a task.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    /// A card on the board.
    #[default]
    Task,
    /// A session of a person with an agent.
    Session,
    /// A pipeline run.
    Run,
    /// An agent triages its messages.
    Triage,
}
