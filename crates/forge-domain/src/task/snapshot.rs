//! The state of a task: the fold of its events.

use crate::task::{
    AgentSession, Annotation, AnnotationType, AnswerTurn, ExecutionOverrides, GateRecord,
    HandoffNote, MergeConfig, OpenQuestion, OrderedTurn, PostLanding, PostponedExecution,
    PullRequest, PullRequestState, ReviewConfig, SteerMessage, Subtask, TaskActivity,
    TaskExecution, TaskKind, Workspace,
};
use crate::workflow::{BoardPhase, RoleName, StateName, TaskStanding, WorkflowHash};
use crate::{AgentId, Assignee, Budget, ProjectId, RepoId, ReviewId, TaskId, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use uuid::Uuid;

/// Everything that is known about a task. It is stored with each task and in the event of its creation, so empty fields
/// are omitted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskSnapshot {
    pub id: TaskId,
    pub project_id: ProjectId,
    /// Its repository, if the project has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repo_id: Option<RepoId>,
    /// Task number on the board.
    pub number: i64,
    pub kind: TaskKind,
    pub title: String,
    /// The body of the task; part of the agent's prompt.
    pub description: String,
    /// The workflow revision it is pinned to.
    pub workflow: WorkflowHash,
    /// Name of the current state.
    pub state: StateName,
    /// Board column of the state.
    pub phase: BoardPhase,
    /// Progress of the task.
    pub standing: TaskStanding,
    /// Whether the task can be claimed.
    pub claimable: bool,
    /// Number of state entries. It tells a late report from a current one.
    pub visit: u64,
    /// Number of commands that changed what a person sees.
    pub version: i64,
    /// Tasks with a higher number go first.
    pub priority: i32,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub labels: BTreeSet<String>,
    /// Settings of the gate's checks and review.
    #[serde(default, skip_serializing_if = "ReviewConfig::is_blank")]
    pub review_config: ReviewConfig,
    /// Target branch and merge strategy.
    #[serde(default, skip_serializing_if = "MergeConfig::is_blank")]
    pub merge_config: MergeConfig,
    /// Holders of the roles.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub roles: BTreeMap<RoleName, Assignee>,
    /// By role, what the claim of its holder changes about the agent's settings (T-3).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub overrides: BTreeMap<RoleName, Box<ExecutionOverrides>>,
    /// Tasks that must land first.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub dependencies: BTreeSet<TaskId>,
    /// The task it is part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<TaskId>,
    /// The kind of subtask; `None` for an independent one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtask: Option<Subtask>,
    /// Its ordered turns, ended or not (T-17).
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub turns: BTreeSet<TaskId>,
    /// Whether its own work is done and it waits for its open turns.
    #[serde(default, skip_serializing_if = "is_false")]
    pub in_turns: bool,
    /// The problem that needs attention.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotation: Option<Annotation>,
    /// Time at which a gate last passed it; cleared when the work changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review_passed_at: Option<Timestamp>,
    /// Since when it is hidden from default lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archived_at: Option<Timestamp>,
    /// Data that clients store with the task.
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    pub metadata: serde_json::Map<String, serde_json::Value>,
    /// The execution under way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<TaskExecution>,
    /// The execution that was opened last, ended or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_run: Option<TaskExecution>,
    /// The engine's current activity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity: Option<TaskActivity>,
    /// Its workspace, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspace: Option<Workspace>,
    /// The open review.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review: Option<ReviewId>,
    /// The commit that the last review checked and that may land (P-3); `None` while the work changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reviewed: Option<String>,
    /// The pull request by which it lands, if any (M-16).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pull_request: Option<PullRequest>,
    /// Number of reviews so far.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub attempts: u32,
    /// Counted rejections by gate (M-4).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rejections: BTreeMap<StateName, u32>,
    /// Record of the last attempt at a gate.
    #[serde(default, skip_serializing_if = "GateRecord::is_blank")]
    pub gate: GateRecord,
    /// Whether a gate sent the work back into the current state.
    #[serde(default, skip_serializing_if = "is_false")]
    pub sent_back: bool,
    /// By role, the agent's last conversation that ended well.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sessions: BTreeMap<RoleName, AgentSession>,
    /// Executions lost with their server since the state was entered.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lost_runs: u32,
    /// Executions that ended because a quota was used up, since the state was entered.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub quota_waits: u32,
    /// Limits for its agents (E-8).
    #[serde(default, skip_serializing_if = "Budget::is_unlimited")]
    pub budget: Budget,
    /// The execution that starts later by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub postponed: Option<PostponedExecution>,
    /// Messages that no agent is known to have read yet, oldest first (T-22).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steers: Vec<SteerMessage>,
    /// The last answer of its last planner; the prompts of the later work contain it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// Questions without an answer, oldest first (T-27).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<OpenQuestion>,
    /// Number of questions that were asked so far.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub asked_questions: u32,
    /// The turn that waits for the answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_turn: Option<AnswerTurn>,
    /// The assignee that last submitted it (T-5).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holder: Option<Assignee>,
    /// Feedback of the last rejection; the next prompt contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
    /// Handoff notes, oldest first; every later prompt contains them (T-20).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub handoffs: Vec<HandoffNote>,
    /// Agents that handed it off since a person last moved it or its work was submitted. Dispatch does not assign it to
    /// them again (T-20).
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub declined_by: BTreeSet<AgentId>,
    /// Its origin, and the record after its work.
    // Snapshots of earlier versions say `aftermath`.
    #[serde(default, alias = "aftermath", skip_serializing_if = "PostLanding::is_blank")]
    pub post_landing: Box<PostLanding>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl TaskSnapshot {
    /// Whether its landing waits for a person's uncommitted changes (M-7).
    pub(crate) fn waits_for_checkout(&self) -> bool {
        self.annotation
            .as_ref()
            .is_some_and(|trouble| trouble.kind == AnnotationType::TargetCheckoutDirty)
    }

    /// Whether its landing waits for a pull request: remote checks, approvals (M-16).
    pub fn waits_for_pull_request(&self) -> bool {
        self.pull_request.as_ref().is_some_and(|pull| pull.state == PullRequestState::Open)
    }

    /// The finding of work on the target without a recorded landing, while a person has not decided about it.
    pub fn outside_landing(&self) -> Option<&Annotation> {
        self.annotation.as_ref().filter(|found| found.kind == AnnotationType::LandedOutside)
    }

    /// Whether its landing waits for a dependency, or for another git process to release its target.
    pub(crate) fn is_landing_blocked(&self) -> bool {
        self.annotation.as_ref().is_some_and(|trouble| {
            matches!(trouble.kind, AnnotationType::DependencyOpen | AnnotationType::TargetLocked)
        })
    }

    /// Mark of the processes that run for the landing of a visit.
    pub fn landing_mark(&self, visit: u64) -> Uuid {
        let text = format!("landing {} {visit}", self.id);
        let mut bytes = [0; 16];
        bytes.iter_mut().zip(Sha256::digest(text)).for_each(|(byte, hashed)| *byte = hashed);
        uuid::Builder::from_custom_bytes(bytes).into_uuid()
    }

    /// The ordered turn, if the task is one.
    pub fn turn(&self) -> Option<&OrderedTurn> {
        match &self.subtask {
            Some(Subtask::OrderedTurn(turn)) => Some(turn),
            Some(Subtask::Independent { .. }) | None => None,
        }
    }

    /// Number of its ancestors.
    pub fn depth(&self) -> u32 {
        match (&self.subtask, self.parent) {
            (Some(Subtask::Independent { depth }), _) => *depth,
            (_, parent) => u32::from(parent.is_some()),
        }
    }

    /// Whether an execution or another activity is under way.
    pub fn is_executing(&self) -> bool {
        self.run.is_some() || self.activity.is_some()
    }

    /// Whether its last execution is still being stopped, so that no other can start yet.
    pub fn is_ending(&self) -> bool {
        self.run.is_some() || matches!(self.activity, Some(TaskActivity::Stopping { .. }))
    }

    /// The agent that handed it off last.
    pub fn handed_off_by(&self) -> Option<AgentId> {
        self.handoffs.last()?.from?.agent()
    }

    /// Key of the task, such as `T-12`.
    pub fn key(&self) -> TaskKey {
        TaskKey(self.number)
    }

    /// Whether a request that promised a result must still wait, because the engine's current activity ends by itself
    /// soon. A running agent does not.
    pub fn is_settling(&self) -> bool {
        match self.activity {
            Some(TaskActivity::Running { .. }) | None => false,
            Some(TaskActivity::Landing) => {
                !self.waits_for_checkout()
                    && !self.waits_for_pull_request()
                    && !self.is_landing_blocked()
            }
            // Its merge state sent it back: the merge may have to wait a long time.
            Some(TaskActivity::Rebasing) => self.post_landing.returning.is_none(),
            Some(_) => true,
        }
    }
}

/// Key of a task as people write it: `T-12`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskKey(pub i64);

impl fmt::Display for TaskKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "T-{}", self.0)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_false(flag: &bool) -> bool {
    !*flag
}
