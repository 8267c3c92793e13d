//! Effects: actions that must be performed after a decision. They are stored as rows in the same transaction as the
//! decision (M-1).

use crate::{AgentId, EffectId, ExecutionId, ReviewId, TaskId, Timestamp};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A durable effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Effect {
    /// Create, find or repair the task's worktree.
    PrepareWorkspace { execution: ExecutionId },
    /// Run the project's setup in a new workspace (W-13).
    SetUpWorkspace { execution: ExecutionId },
    /// Run the agent's program and commit its changes.
    RunExecution { execution: ExecutionId },
    /// Start the execution that waits for this agent's quota or login, when it is due. Resuming the agent makes it due
    /// earlier (E-9).
    AwaitQuota { agent: AgentId },
    /// Start the execution that waits for a budget. Raising the budget makes it due earlier (E-8).
    AwaitBudget,
    /// Deliver messages to a program that accepts them while it runs (T-22).
    DeliverSteer { execution: ExecutionId },
    /// Tell the parent that its turn stopped or continues (T-17).
    TellParent {
        /// Whether the turn has ended for good.
        ended: bool,
    },
    /// Start an ordered turn in the task's workspace (T-17).
    BeginTurn { turn: TaskId },
    /// Stop the ordered turns in the task's workspace, because the task moved on (T-17).
    EndTurns,
    /// Stop all processes with this mark.
    Stop { mark: Uuid },
    /// Commit remaining changes and run the checks of a review.
    RunChecks { review: ReviewId },
    /// Land the branch on its target.
    Land {
        /// The visit of the merge state it belongs to.
        visit: u64,
    },
    /// Remove the worktree.
    CleanWorkspace {
        /// Whether the branch is deleted as well, because its content landed. The archive keeps its commits reachable.
        retire_branch: bool,
    },
    /// Merge the target into the branch, in the workspace (M-9).
    Rebase {
        /// The visit of the state in which it was requested.
        visit: u64,
        /// Additional message for the agent or person who works on the task next.
        message: Option<String>,
    },
    /// Create the workspace of a task that reverts another one's landing.
    Revert {
        /// The landed commit.
        commit: String,
    },
    /// Watch the remote checks of a landed commit.
    VerifyLanding { commit: String },
    /// Save uncommitted edits, then discard them.
    ResetWorktree,
    /// Save and remove the worktree, and create a new one from the target (W-9).
    ResetWorkspace,
}

/// Effects of one task in one lane run one after the other, in the order in which they were planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectLane {
    /// Effects that use the workspace.
    Workspace,
    /// Stops, which must not wait for the effect they stop.
    Control,
    /// Waits for a quota, a login or a budget; they delay no other effect.
    Waiting,
    /// Messages between a task and its ordered turns, either of which may be running.
    OrderedTurns,
    /// Work after a landing; it takes long and delays no other effect.
    PostLanding,
    /// Messages to a running agent, which cannot wait for its end.
    Message,
}

/// An effect with its id and earliest time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedEffect {
    pub id: EffectId,
    pub effect: Effect,
    /// Earliest time at which it may start.
    pub not_before: Timestamp,
}

impl PlannedEffect {
    /// Whether a move of the task supersedes the effect before it has started. An effect planned for later also yields,
    /// because it would block its lane until then.
    pub fn yields_to_a_move(&self, wanted_at: Timestamp) -> bool {
        self.effect.yields_to_a_move() || self.not_before > wanted_at
    }
}

impl Effect {
    /// The lane in which the effect runs.
    pub fn lane(&self) -> EffectLane {
        match self {
            Self::Stop { .. } => EffectLane::Control,
            Self::DeliverSteer { .. } => EffectLane::Message,
            Self::VerifyLanding { .. } => EffectLane::PostLanding,
            Self::AwaitQuota { .. } | Self::AwaitBudget => EffectLane::Waiting,
            Self::TellParent { .. } | Self::BeginTurn { .. } | Self::EndTurns => {
                EffectLane::OrderedTurns
            }
            _ => EffectLane::Workspace,
        }
    }

    /// Whether a move of the task supersedes the effect before it has started. Effects that a person requested and
    /// removals that a cleanup policy promised run anyway.
    pub fn yields_to_a_move(&self) -> bool {
        !matches!(
            self,
            Self::CleanWorkspace { .. }
                | Self::Rebase { .. }
                | Self::VerifyLanding { .. }
                | Self::Revert { .. }
                | Self::ResetWorktree
                | Self::ResetWorkspace
                | Self::TellParent { .. }
        )
    }

    /// Name of the effect on the wire.
    pub fn name(&self) -> &'static str {
        match self {
            Self::PrepareWorkspace { .. } => "prepare_workspace",
            Self::SetUpWorkspace { .. } => "set_up_workspace",
            Self::RunExecution { .. } => "run_execution",
            Self::AwaitQuota { .. } => "await_quota",
            Self::AwaitBudget => "await_budget",
            Self::DeliverSteer { .. } => "deliver_steer",
            Self::TellParent { .. } => "tell_parent",
            Self::BeginTurn { .. } => "begin_turn",
            Self::EndTurns => "end_turns",
            Self::Stop { .. } => "stop",
            Self::RunChecks { .. } => "run_checks",
            Self::Land { .. } => "land",
            Self::CleanWorkspace { .. } => "clean_workspace",
            Self::Rebase { .. } => "rebase",
            Self::Revert { .. } => "revert",
            Self::VerifyLanding { .. } => "verify_landing",
            Self::ResetWorktree => "reset_worktree",
            Self::ResetWorkspace => "reset_workspace",
        }
    }
}
