//! The next step of a task on its way to its target branch.

use forge_api::{ActivityView, StateKind, StateView, Task};

/// What lands a task from where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MergeStep {
    /// Hand in the work.
    Complete,
    /// Wait for the checks, the verdict or the landing.
    Wait,
    /// Move the passed task on, to this state.
    MoveOn(String),
    /// The task has ended.
    Finished,
    /// Only a person can go on.
    Stop,
}

impl MergeStep {
    /// The step for a task in this state of its workflow.
    pub(crate) fn of(task: &Task, state: &StateView) -> Self {
        let is_busy = task.busy.is_some();
        // A landing that waits, for example for a checkout, goes on by itself; the user has to know why it waits.
        let waits_for_user = task.error_annotation.is_some()
            && matches!(task.busy, None | Some(ActivityView::Landing));
        match (state.kind, &state.targets.pass) {
            (StateKind::Terminal, _) if !is_busy => Self::Finished,
            (StateKind::Work, _) if !is_busy => Self::Complete,
            (StateKind::Gate | StateKind::Merge, _) if waits_for_user => Self::Stop,
            _ if is_busy => Self::Wait,
            (StateKind::Gate, Some(pass)) if task.review_passed_at.is_some() => {
                Self::MoveOn(pass.clone())
            }
            _ => Self::Stop,
        }
    }
}

/// How far a task is on its way to the target branch. A task whose stage gets lower was sent back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MergeStage {
    /// Nothing is handed in.
    Open,
    /// The work is checked and judged.
    Gate,
    /// The branch lands.
    Landing,
    /// The task has ended.
    Ended,
}

impl MergeStage {
    /// The stage of a kind of state.
    pub(crate) fn of(kind: StateKind) -> Self {
        match kind {
            StateKind::Queue | StateKind::Hold | StateKind::Work => Self::Open,
            StateKind::Gate => Self::Gate,
            StateKind::Merge => Self::Landing,
            StateKind::Terminal => Self::Ended,
        }
    }

    /// What happened to a task that was sent back from this stage.
    pub(crate) fn refusal(self) -> &'static str {
        match self {
            Self::Gate => "the gate sent it back",
            Self::Landing => "the landing failed",
            Self::Open | Self::Ended => "has not landed",
        }
    }
}
