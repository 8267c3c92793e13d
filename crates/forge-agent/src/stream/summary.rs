//! A whole turn in one value.

use super::event::Usage;
use crate::word::Word;
use forge_domain::{RunFailure, Verdict};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// What came out of a turn.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TurnSummary {
    /// By which the conversation can be continued (E-7).
    pub session: Option<Word>,
    /// What was used (E-8).
    pub usage: Usage,
    /// The usage is that of the whole session: take off what its earlier turns had reported.
    pub usage_of_session: bool,
    /// What the agent said last; its end if it was long.
    pub final_text: String,
    /// The judgement in it (M-3).
    pub verdict: Option<Verdict>,
    /// Why it failed, if it did (E-9).
    pub failure: Option<RunFailure>,
    /// The messages that it took while it worked (T-22).
    #[serde(default)]
    pub steered: Vec<Uuid>,
    /// How many events there were.
    pub events: u64,
}
