//! What must be done to the world. Rows, written in the same transaction as the decision that wants them (M-1).

use crate::{AgentId, EffectId, ExecutionId, ReviewId, TaskId, Timestamp};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// One durable step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Effect {
    /// Make, find again or repair the task's worktree.
    PrepareWorkspace {
        /// For which execution.
        execution: ExecutionId,
    },
    /// Run the project's setup in a workspace that has not had it yet (W-13).
    SetUpWorkspace {
        /// For which execution.
        execution: ExecutionId,
    },
    /// Run the agent's program and commit what it leaves.
    RunTurn {
        /// Which execution.
        execution: ExecutionId,
    },
    /// Begin the run that waits for this agent's allowance, when its time has come (E-9).
    AwaitQuota {
        /// Whose.
        agent: AgentId,
    },
    /// Begin the run that waits for a budget; a raised one brings its time forward (E-8).
    AwaitBudget,
    /// Hand messages over to a program that can hear them while it works (T-22).
    DeliverSteer {
        /// Whose.
        execution: ExecutionId,
    },
    /// Tell the parent how its turn stands (T-17).
    TellParent {
        /// Whether it is over for good.
        ended: bool,
    },
    /// Begin a turn in the task's workspace (T-17).
    BeginTurn {
        /// Which task's.
        turn: TaskId,
    },
    /// End the turns in the task's workspace, because it moved on (T-17).
    EndTurns,
    /// End everything that carries this mark.
    Stop {
        /// The mark.
        mark: Uuid,
    },
    /// Commit what is left and run the checks of a review.
    RunChecks {
        /// Which review.
        review: ReviewId,
    },
    /// Land the branch.
    Land {
        /// The visit of the merge state it belongs to.
        visit: u64,
    },
    /// Remove the worktree.
    CleanWorkspace {
        /// Whether the branch, its content landed, goes too (its commits stay reachable in the archive).
        retire_branch: bool,
    },
    /// Merge the target into the branch, in the workspace (M-9).
    Rebase {
        /// The visit of the state it was asked for in.
        visit: u64,
        /// What whoever works on the task is told besides.
        message: Option<String>,
    },
    /// Make the workspace of a task that takes back what another landed.
    Revert {
        /// What it landed as.
        commit: String,
    },
    /// Watch the checks of a landed commit where it was pushed.
    VerifyLanding {
        /// The commit.
        commit: String,
    },
    /// Throw away uncommitted edits, after a snapshot of them.
    ResetWorktree,
    /// Remove the worktree, after a snapshot, and make a new one from the target (W-9).
    ResetWorkspace,
}

/// Effects of one task in one lane happen one after the other, in the order they were wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    /// Everything that uses the workspace.
    Workspace,
    /// Stopping: must not wait for what it stops.
    Control,
    /// Waiting: holds nobody up.
    Waiting,
    /// Between a task and those that take turns in its workspace: either may be at work.
    Family,
    /// Looking after what landed: takes long, and holds nobody up.
    Aftermath,
    /// Messages: go to who works, so they cannot wait for its end.
    Message,
}

/// An effect with its identity and earliest time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedEffect {
    /// Its identity.
    pub id: EffectId,
    /// What to do.
    pub effect: Effect,
    /// Not earlier than this.
    pub not_before: Timestamp,
}

impl PlannedEffect {
    /// Whether it loses its point when the task moves on before it has begun. What is wanted for later does too, since
    /// it would hold up its lane until then.
    pub fn yields_to_a_move(&self, wanted_at: Timestamp) -> bool {
        self.effect.yields_to_a_move() || self.not_before > wanted_at
    }
}

impl Effect {
    /// Its lane.
    pub fn lane(&self) -> Lane {
        match self {
            Self::Stop { .. } => Lane::Control,
            Self::DeliverSteer { .. } => Lane::Message,
            Self::VerifyLanding { .. } => Lane::Aftermath,
            Self::AwaitQuota { .. } | Self::AwaitBudget => Lane::Waiting,
            Self::TellParent { .. } | Self::BeginTurn { .. } | Self::EndTurns => Lane::Family,
            _ => Lane::Workspace,
        }
    }

    /// Whether it loses its point when the task moves on before it has begun. What a person asked for explicitly, and
    /// removals that a state's policy promised, are done all the same.
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

    /// Its name on the wire.
    pub fn name(&self) -> &'static str {
        match self {
            Self::PrepareWorkspace { .. } => "prepare_workspace",
            Self::SetUpWorkspace { .. } => "set_up_workspace",
            Self::RunTurn { .. } => "run_turn",
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
