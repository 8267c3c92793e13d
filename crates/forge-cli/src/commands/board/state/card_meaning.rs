//! What a card means to a person.

use forge_api::{ActivityView, OutcomeView, StateKind, StateView, Task, TaskPhase};

/// The meaning of a card. It comes from the kind of the state, the activity and the reason to wait, never from the
/// name of the state (P-7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CardMeaning {
    /// A problem that a person has to look at, or an end without success.
    Failed,
    /// Waits for a person.
    NeedsYou,
    /// Waits for something that ends by itself or by a switch.
    Held,
    /// Its branch lands.
    Landing,
    /// Checks or a reviewer run.
    Checking,
    /// An agent or a user works.
    Working,
    /// Waits for a claim.
    Queued,
    /// Ended with success.
    Landed,
    /// Ended without a result.
    Cancelled,
}

impl CardMeaning {
    /// The meanings that the header counts beside the tasks that need a person, in its order.
    pub(crate) const COUNTED: [Self; 5] =
        [Self::Working, Self::Checking, Self::Landing, Self::Queued, Self::Held];

    /// The meaning of a task. `needs_person` says that it is on the list of tasks that wait for a person, `is_held`
    /// that it waits for another task.
    pub(crate) fn of(
        task: &Task,
        state: Option<&StateView>,
        needs_person: bool,
        is_held: bool,
    ) -> Self {
        if task.phase == TaskPhase::Done {
            return match state.and_then(|state| state.outcome) {
                Some(OutcomeView::Failure) => Self::Failed,
                Some(OutcomeView::Cancelled) => Self::Cancelled,
                Some(OutcomeView::Success) | None => Self::Landed,
            };
        }
        if needs_person {
            let is_failure = task.error_annotation.is_some();
            return if is_failure { Self::Failed } else { Self::NeedsYou };
        }
        if let Some(busy) = task.busy {
            return Self::of_activity(busy);
        }
        match (state.map(|state| state.kind), task.phase) {
            (Some(StateKind::Merge), _) => Self::Landing,
            (Some(StateKind::Gate), _) => Self::Checking,
            (Some(StateKind::Work), _) => Self::Working,
            (Some(StateKind::Hold), _) => Self::Held,
            (Some(StateKind::Queue), _) if is_held => Self::Held,
            (Some(StateKind::Queue | StateKind::Terminal), _) => Self::Queued,
            // A task of a workflow that was replaced: only the phase is known.
            (None, TaskPhase::Working) => Self::Working,
            (None, TaskPhase::Review) => Self::Checking,
            (None, _) => Self::Queued,
        }
    }

    fn of_activity(activity: ActivityView) -> Self {
        match activity {
            ActivityView::Stopping
            | ActivityView::Preparing
            | ActivityView::Running
            | ActivityView::Cleaning
            | ActivityView::Rebasing
            | ActivityView::Reverting => Self::Working,
            ActivityView::Checking | ActivityView::Judging => Self::Checking,
            ActivityView::Landing => Self::Landing,
        }
    }

    /// The shape that tells it apart without colours.
    pub(crate) const fn shape(self) -> &'static str {
        match self {
            Self::Failed => "✗",
            Self::NeedsYou => "◆",
            Self::Held => "‖",
            Self::Landing => "»",
            Self::Checking => "≡",
            Self::Working => "●",
            Self::Queued => "○",
            Self::Landed => "✓",
            Self::Cancelled => "–",
        }
    }

    /// The word for people.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::NeedsYou => "needs you",
            Self::Held => "held",
            Self::Landing => "landing",
            Self::Checking => "checking",
            Self::Working => "working",
            Self::Queued => "queued",
            Self::Landed => "landed",
            Self::Cancelled => "was cancelled",
        }
    }
}
