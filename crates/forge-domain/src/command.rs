//! The commands that a task accepts.

use crate::report::{EffectReport, Verdict};
use crate::task::{
    ExecutionOverrides, MergeConfig, OriginTask, RegressionCheck, ReviewConfig, Subtask, TaskKind,
};
use crate::workflow::{RoleName, StateName};
use crate::{
    Actor, AgentId, Assignee, Budget, CommandId, ExecutionId, ProjectId, RepoId, TaskId, Timestamp,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A command with its actor, time and identity. Every id that the decision makes is derived from the identity.
#[derive(Debug, Clone)]
pub struct CommandEnvelope<C = TaskCommand> {
    pub id: CommandId,
    pub at: Timestamp,
    pub actor: Actor,
    pub command: C,
}

/// Creates a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateTask {
    pub project_id: ProjectId,
    pub repo_id: Option<RepoId>,
    /// The next task number of the board.
    pub number: i64,
    pub kind: TaskKind,
    pub title: String,
    /// The body of the task; part of the agent's prompt.
    pub description: String,
    /// Tasks with a higher number go first.
    pub priority: i32,
    pub labels: BTreeSet<String>,
    /// Settings of the gate's checks and review.
    pub review_config: ReviewConfig,
    /// Target branch and merge strategy.
    pub merge_config: MergeConfig,
    /// Holders of roles at creation.
    pub roles: BTreeMap<RoleName, Assignee>,
    /// Tasks that must land first. The caller has checked that they belong to the same project.
    pub dependencies: BTreeSet<TaskId>,
    /// The task it is part of.
    pub parent: Option<TaskId>,
    /// The kind of subtask.
    pub subtask: Option<Subtask>,
    /// Limits for the task's agents.
    pub budget: Budget,
    /// Whether it starts in the claimable queue instead of the initial state. An ordered turn never does.
    pub queued: bool,
    /// The landed task that this one reverts or fixes.
    pub origin: Option<OriginTask>,
    /// Data that clients store with the task.
    pub metadata: serde_json::Map<String, serde_json::Value>,
}

/// Moves a task into the workflow that replaces its own (F-5). Two workflows decide it, so it is not a variant of
/// [`TaskCommand`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdoptWorkflow;

/// A command for an existing task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaskCommand {
    /// Edit the task's fields.
    Update(TaskPatch),
    /// Claim the task for an agent or a user.
    Claim {
        /// The new holder of the claimed role.
        claimer: Assignee,
    },
    /// Claim the task for an agent whose settings this claim overrides (T-3).
    ClaimWithOverrides {
        /// The new holder of the claimed role.
        agent: AgentId,
        overrides: Box<ExecutionOverrides>,
    },
    /// Move the task to another state.
    Move {
        to: StateName,
        /// The version that the caller read; `None` accepts any version.
        version: Option<i64>,
        reason: Option<String>,
    },
    /// Hand in the work of a state: move the task along the state's `done` edge.
    Complete {
        /// The version that the caller read; `None` accepts any version.
        version: Option<i64>,
        reason: Option<String>,
    },
    /// Cancel the task.
    Cancel { reason: Option<String> },
    /// Assign a role.
    Assign {
        role: RoleName,
        assignee: Assignee,
        /// How much of the existing work is discarded.
        reset: ResetScope,
    },
    /// Take away all roles of an agent that is being removed.
    ReleaseRoles { holder: Assignee },
    /// Continue a conversation that an earlier execution began (E-7).
    FollowUp {
        /// The role of that execution.
        role: RoleName,
        agent: AgentId,
        /// The agent program's id of the conversation. Without it, a new execution gets the message in its prompt.
        session: Option<String>,
        /// Text of the message.
        message: String,
    },
    /// Release the task with a note for the next holder (T-20).
    HandOff {
        /// What was done, and what blocks progress.
        message: String,
    },
    /// Park a task that every eligible agent has handed off (T-20).
    ParkHandedOff,
    /// Send a message to a running agent (T-22).
    Steer {
        execution: ExecutionId,
        /// Text of the message.
        message: String,
        /// Whether the agent program accepts messages while it runs.
        live: bool,
    },
    /// Ask the person in charge (T-27).
    Ask {
        /// Text of the question.
        text: String,
        /// Whether the asking program waits for the answer and fetches it by itself.
        is_awaited: bool,
    },
    /// Answer a question (T-27).
    Answer {
        /// Number of the question.
        number: u32,
        /// Text of the answer.
        text: String,
        /// Whether the asking program accepts messages while it runs.
        live: bool,
    },
    /// Record that the asking program has fetched the answer itself.
    ReceiveAnswer {
        /// Number of the question.
        number: u32,
    },
    /// Give a judge's verdict on the work (M-3).
    GiveVerdict {
        /// The judge's run.
        execution: ExecutionId,
        verdict: Verdict,
    },
    /// Pass an attempt regardless of the gate's result (M-4).
    Approve {
        /// The number of the last attempt.
        attempt: u32,
        reason: Option<String>,
    },
    /// Send an attempt back to work (M-4).
    Reject {
        /// The number of the last attempt.
        attempt: u32,
        /// What the agent must change.
        reason: String,
    },
    /// Stop an execution and change nothing else (T-13).
    StopRun { execution: ExecutionId, reason: Option<String> },
    /// Start the execution again with the work as it is (T-22).
    Restart {
        /// The execution that is started again.
        execution: ExecutionId,
    },
    /// Mark an execution as failed, regardless of its own result (T-22).
    MarkFailed { execution: ExecutionId, reason: Option<String> },
    /// Merge the target into the task's branch and send the task back to work (M-9).
    Rebase {
        /// Additional message for the agent or person who works on the task next.
        message: Option<String>,
    },
    /// Accept work that reached the target outside Forge as landed.
    AcceptLanded { reason: Option<String> },
    /// Record that another task reverts this task's landing.
    Revert { by: TaskId },
    /// Record that this task's landing broke something, and which task fixes it.
    Regress {
        reason: String,
        /// The failed checks, if checks found the regression.
        checks: Vec<RegressionCheck>,
        fix: TaskId,
    },
    /// Discard the workspace and create a new one (W-9).
    ResetWorkspace,
    /// Remove the worktree now. The branch stays unless its content landed (W-7).
    CleanWorkspace,
    /// Hide the task from default lists.
    Archive,
    /// Show an archived task again.
    Unarchive,
    /// Add a dependency on another task.
    AddDependency { on: TaskId },
    /// Remove a dependency on another task.
    RemoveDependency { on: TaskId },
    /// Add an ordered turn, which runs in this task's workspace (T-17).
    AddTurn { turn: TaskId },
    /// Start this ordered turn: the turns before it have ended.
    BeginTurn,
    /// Stop this ordered turn: its parent moved on.
    EndTurn {
        /// Whether the turn is cancelled as well.
        cancel: bool,
    },
    /// Comment on the task.
    Comment {
        /// Text in Markdown.
        body: String,
        /// The comment it answers.
        parent: Option<crate::CommentId>,
    },
    /// The result of an effect.
    Report(EffectReport),
}

/// How much of the existing work a reassignment discards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ResetScope {
    /// Everything stays as it is.
    #[default]
    Nothing,
    /// Commits stay; uncommitted edits are discarded.
    Worktree,
    /// The whole workspace is discarded; the next claim creates a new one.
    Workspace,
}

/// An edit of a task. Absent fields stay unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TaskPatch {
    /// The version that the caller read; `None` accepts any version.
    #[serde(skip)]
    pub version: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The body of the task; part of the agent's prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Tasks with a higher number go first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<BTreeSet<String>>,
    /// Settings of the gate's checks and review.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review_config: Option<ReviewConfig>,
    /// Target branch and merge strategy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merge_config: Option<MergeConfig>,
    /// Limits for the task's agents; a budget without limits removes the old one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
    /// Data that clients store with the task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<serde_json::Map<String, serde_json::Value>>,
}
