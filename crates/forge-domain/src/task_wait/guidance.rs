//! For each problem: whether it needs a person, and that person's next steps.

use crate::task::{Annotation, AnnotationType};

/// A kind of next step. An action is offered only while it is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NextStepKind {
    Answer,
    Approve,
    Reject,
    Claim,
    ClaimSelf,
    /// Along the edge for success of the current state.
    MoveOn,
    /// To each state to which a person may move the task.
    Move,
    Restart,
    Rebase,
    Revert,
    AcceptLanded,
    Assign,
    ResetWorkspace,
    Steer,
    StopRun,
    Unarchive,
    RaiseBudget,
    ReadLog,
    FollowLog,
    FollowChecks,
    ReadReview,
    ReadDiff,
    ReadSetup,
    ReadEffects,
    ShowTask,
    ShowTrain,
    ShowCheckout,
    ShowRepoConfig,
    AcceptRepoConfig,
}

/// Guidance for one kind of problem.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProblemGuidance {
    pub(crate) needs_person: bool,
    pub(crate) steps: &'static [NextStepKind],
}

impl ProblemGuidance {
    /// A problem without an entry needs a person, who restarts, claims or moves the task.
    pub(crate) fn of(trouble: &Annotation) -> Self {
        use AnnotationType as Trouble;
        use NextStepKind as Step;
        let person = |steps| Self { needs_person: true, steps };
        let itself = |steps| Self { needs_person: false, steps };
        match trouble.kind {
            Trouble::HandedOff => person(&[Step::Assign, Step::Claim, Step::Move]),
            Trouble::RoleUnassigned => person(&[Step::Assign, Step::Move]),
            Trouble::ExecutionFailed | Trouble::ExecutionLost | Trouble::Stuck => {
                person(&[Step::ReadLog, Step::Restart, Step::Claim, Step::Move])
            }
            Trouble::NoChanges => {
                person(&[Step::ReadLog, Step::ReadReview, Step::Approve, Step::Reject])
            }
            Trouble::NotSignedIn => person(&[Step::Assign]),
            Trouble::BudgetExhausted => person(&[Step::RaiseBudget]),
            Trouble::GateExhausted | Trouble::ReviewBlocked => {
                person(&[Step::ReadReview, Step::Approve, Step::Restart, Step::Move])
            }
            Trouble::ChecksBroken => person(&[Step::ReadReview, Step::Move]),
            // The task returns to work by itself.
            Trouble::MergeConflict | Trouble::MergeChecksFailed
                if trouble.details["returns"] == true =>
            {
                itself(&[])
            }
            Trouble::MergeConflict | Trouble::MergeChecksFailed => {
                person(&[Step::Rebase, Step::Move])
            }
            Trouble::RevertsLanded => person(&[Step::ReadDiff, Step::Rebase, Step::Move]),
            Trouble::RepositoryConfigChanged => {
                person(&[Step::ShowRepoConfig, Step::AcceptRepoConfig, Step::Move])
            }
            Trouble::TargetCheckoutDirty => person(&[Step::ShowCheckout]),
            Trouble::LandedAfterAll => person(&[Step::Revert]),
            Trouble::LandedOutside => person(&[Step::AcceptLanded, Step::Revert]),
            Trouble::DependencyOpen => itself(&[]),
            Trouble::DependencyFailed => person(&[Step::ShowTask, Step::Move]),
            Trouble::TargetLocked => person(&[Step::ReadEffects]),
            Trouble::WorkspaceError
            | Trouble::WorkspaceCorrupted
            | Trouble::WorkspaceResetRequired => person(&[Step::ResetWorkspace, Step::Move]),
            Trouble::SetupFailed => person(&[Step::ReadSetup, Step::Restart, Step::Move]),
            Trouble::TurnStopped | Trouble::ParentWorkspaceRequired => person(&[Step::ShowTask]),
            Trouble::EffectFailed => person(&[Step::ReadEffects, Step::Restart, Step::Move]),
            Trouble::PushFailed if trouble.details["kind"] == "network" => itself(&[]),
            Trouble::Stalled => itself(&[Step::ReadLog, Step::Steer, Step::StopRun]),
            Trouble::QuotaWait => itself(&[Step::Assign]),
            // Another task fixes it.
            Trouble::Regressed => itself(&[]),
            _ => person(&[Step::Restart, Step::Rebase, Step::Claim, Step::Move]),
        }
    }
}
