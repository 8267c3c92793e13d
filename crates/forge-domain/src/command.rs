//! Everything that can be asked of a task.

use crate::report::{Report, Verdict};
use crate::task::{FailedCheck, FollowUp, MergeConfig, Origin, ReviewConfig, Subtask, TaskKind};
use crate::workflow::{RoleName, StateName};
use crate::{
    Actor, AgentId, Assignee, Budget, CommandId, ExecutionId, ProjectId, RepoId, TaskId, Timestamp,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A command with who, when and its identity. The identity seeds every id the decision makes.
#[derive(Debug, Clone)]
pub struct Envelope<C = Command> {
    /// Its identity.
    pub id: CommandId,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// What.
    pub command: C,
}

/// A new task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Create {
    /// The board.
    pub project_id: ProjectId,
    /// The repository.
    pub repo_id: Option<RepoId>,
    /// The next number of the board.
    pub number: i64,
    /// What it is for.
    pub kind: TaskKind,
    /// Short label.
    pub title: String,
    /// The prompt.
    pub description: String,
    /// Higher goes first.
    pub priority: i32,
    /// Free labels.
    pub labels: BTreeSet<String>,
    /// How it is checked.
    pub review_config: ReviewConfig,
    /// How it lands.
    pub merge_config: MergeConfig,
    /// Who holds which role from the start.
    pub roles: BTreeMap<RoleName, Assignee>,
    /// What must end first; already checked to be of the same project.
    pub dependencies: BTreeSet<TaskId>,
    /// The task it is part of.
    pub parent: Option<TaskId>,
    /// How it is part of it.
    pub subtask: Option<Subtask>,
    /// What its agents may use.
    pub budget: Budget,
    /// The task it is about: one that takes back or mends begins where that is done.
    pub origin: Option<Origin>,
    /// Whatever clients keep here.
    pub metadata: serde_json::Map<String, serde_json::Value>,
}

/// Going on in the workflow that takes the place of the task's own (F-5). Decided by both workflows, so it is apart from
/// what is asked of a task within its one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Adopt;

/// What can be asked of a task that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Change what it says.
    Update(TaskPatch),
    /// Take it.
    Claim {
        /// Who takes it.
        claimer: Assignee,
    },
    /// Move it along an edge.
    Move {
        /// Where to.
        to: StateName,
        /// The version the mover saw.
        version: i64,
        /// Why.
        reason: Option<String>,
    },
    /// Call it off.
    Cancel {
        /// Why.
        reason: Option<String>,
    },
    /// Give a role to somebody.
    Assign {
        /// Which role.
        role: RoleName,
        /// To whom.
        assignee: Assignee,
        /// What happens to work that is there.
        reset: Reset,
    },
    /// Go on with a conversation that an earlier execution began (E-7).
    FollowUp {
        /// The role of that execution.
        role: RoleName,
        /// Its agent.
        agent: AgentId,
        /// The conversation, and what is said.
        follow_up: FollowUp,
    },
    /// Let go of it, with a note for whoever takes it next (T-20).
    HandOff {
        /// What was done, and what stands in the way.
        message: String,
    },
    /// Say something to an agent at work (T-22).
    Steer {
        /// Its run.
        execution: ExecutionId,
        /// What is said.
        message: String,
        /// Whether its program can hear it while it works.
        live: bool,
    },
    /// Say what a judge thinks of the work it was asked about (M-3).
    GiveVerdict {
        /// The judge's run.
        execution: ExecutionId,
        /// What it says.
        verdict: Verdict,
    },
    /// Let the work of an attempt pass, whatever the gate says (M-4).
    Approve {
        /// Which attempt: the last one.
        attempt: u32,
        /// Why.
        reason: Option<String>,
    },
    /// Send the work of an attempt back (M-4).
    Reject {
        /// Which attempt: the last one.
        attempt: u32,
        /// What to change.
        reason: String,
    },
    /// Stop a run and leave everything else as it is (T-13).
    StopRun {
        /// Which.
        execution: ExecutionId,
        /// Why.
        reason: Option<String>,
    },
    /// Begin a run anew, with the work as it is (T-22).
    Restart {
        /// The run that is begun anew.
        execution: ExecutionId,
    },
    /// Take a run for failed, whatever it says (T-22).
    MarkFailed {
        /// Which.
        execution: ExecutionId,
        /// Why.
        reason: Option<String>,
    },
    /// Merge the target into its branch and send it back to work (M-9).
    Rebase {
        /// What whoever works on it is told besides.
        message: Option<String>,
    },
    /// Another task takes back what it landed.
    Revert {
        /// The other.
        by: TaskId,
    },
    /// What it landed broke something, and another task mends it.
    Regress {
        /// What broke.
        reason: String,
        /// The checks that failed, where that is how it was found.
        checks: Vec<FailedCheck>,
        /// The other.
        fix: TaskId,
    },
    /// Throw its workspace away and make a new one (W-9).
    ResetWorkspace,
    /// Remove its worktree now; the branch stays unless its content landed (W-7).
    CleanWorkspace,
    /// Hide it.
    Archive,
    /// Show it again.
    Unarchive,
    /// Make it wait for another.
    AddDependency {
        /// The other.
        on: TaskId,
    },
    /// Make it wait no longer.
    RemoveDependency {
        /// The other.
        on: TaskId,
    },
    /// Let another task take a turn in its workspace (T-17).
    AddTurn {
        /// The other.
        turn: TaskId,
    },
    /// Take the turn: the turns before it are over.
    BeginTurn,
    /// Give the turn up: its parent moved on.
    EndTurn {
        /// Whether for good.
        cancel: bool,
    },
    /// Say something about it.
    Comment {
        /// Markdown.
        body: String,
        /// The comment it answers.
        parent: Option<crate::CommentId>,
    },
    /// An effect ended.
    Report(Report),
}

/// What a new coder finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reset {
    /// Everything as it is.
    #[default]
    Nothing,
    /// Commits, but no uncommitted edits.
    Worktree,
    /// Nothing: the next claim starts afresh.
    Workspace,
}

/// A change of what a task says. Absent fields stay.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TaskPatch {
    /// The version the editor saw, if they care.
    #[serde(skip)]
    pub version: Option<i64>,
    /// Short label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Higher goes first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<i32>,
    /// Free labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<BTreeSet<String>>,
    /// How it is checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review_config: Option<ReviewConfig>,
    /// How it lands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merge_config: Option<MergeConfig>,
    /// What its agents may use; one without limits takes the old one away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
    /// Whatever clients keep here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<serde_json::Map<String, serde_json::Value>>,
}
