//! The state of a task: the fold of its events.

use super::{
    Activity, Aftermath, Annotation, AnnotationType, GateRecord, Handoff, MergeConfig, Postponed,
    PullRequest, PullRequestState, ReviewConfig, Run, Session, Steer, Subtask, TaskKind, Turn,
    Workspace,
};
use crate::workflow::{Phase, RoleName, Standing, StateName, WorkflowHash};
use crate::{AgentId, Assignee, Budget, ProjectId, RepoId, ReviewId, TaskId, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use uuid::Uuid;

/// Everything that is known of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Its identity.
    pub id: TaskId,
    /// Its board.
    pub project_id: ProjectId,
    /// Its repository, if the project has one.
    pub repo_id: Option<RepoId>,
    /// Its number on the board.
    pub number: i64,
    /// What it is for.
    pub kind: TaskKind,
    /// Short label.
    pub title: String,
    /// The prompt.
    pub description: String,
    /// The workflow revision it is pinned to.
    pub workflow: WorkflowHash,
    /// Where it stands.
    pub state: StateName,
    /// Board column of the state.
    pub phase: Phase,
    /// How far it has come.
    pub standing: Standing,
    /// Whether claims look at it.
    pub claimable: bool,
    /// Counts the entries into states, so that a late report is told from a current one.
    pub visit: u64,
    /// Counts the commands that changed what a person can see of it.
    pub version: i64,
    /// Higher goes first.
    pub priority: i32,
    /// Free labels.
    pub labels: BTreeSet<String>,
    /// How it is checked.
    pub review_config: ReviewConfig,
    /// How it lands.
    pub merge_config: MergeConfig,
    /// Who holds which role.
    pub roles: BTreeMap<RoleName, Assignee>,
    /// What must end well first.
    pub dependencies: BTreeSet<TaskId>,
    /// The task it is part of.
    pub parent: Option<TaskId>,
    /// How it is part of it; one that does not say has its own life.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtask: Option<Subtask>,
    /// The turns that others take in its workspace, whether they are over or not (T-17).
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub turns: BTreeSet<TaskId>,
    /// Whether its own work is done and only turns are left: it goes on when the last of them is over.
    #[serde(default, skip_serializing_if = "is_false")]
    pub in_turns: bool,
    /// Why it needs attention.
    pub annotation: Option<Annotation>,
    /// When a gate last let it pass; cleared when the work changes.
    pub review_passed_at: Option<Timestamp>,
    /// Hidden from default lists since.
    pub archived_at: Option<Timestamp>,
    /// Whatever clients keep here.
    pub metadata: serde_json::Map<String, serde_json::Value>,
    /// The execution under way.
    pub run: Option<Run>,
    /// The execution that was opened last, whether it has ended or not.
    #[serde(default)]
    pub last_run: Option<Run>,
    /// What the engine is doing.
    pub activity: Option<Activity>,
    /// Where it is worked on.
    pub workspace: Option<Workspace>,
    /// The review that is open.
    pub review: Option<ReviewId>,
    /// The commit the last review checked: what may land (P-3). None while the work changes.
    pub reviewed: Option<String>,
    /// The pull request by which it lands, where it does so by one (M-16).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pull_request: Option<PullRequest>,
    /// Reviews so far.
    pub attempts: u32,
    /// Counted rejections by gate (M-4).
    pub rejections: BTreeMap<StateName, u32>,
    /// What else is known of the last attempt at a gate.
    #[serde(default, skip_serializing_if = "GateRecord::is_blank")]
    pub gate: GateRecord,
    /// Whether a gate sent the work back into the state it is in.
    #[serde(default, skip_serializing_if = "is_false")]
    pub sent_back: bool,
    /// By role, the conversation that its agent last ended a turn in well.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sessions: BTreeMap<RoleName, Session>,
    /// Runs lost with their server since the state was entered.
    pub lost_runs: u32,
    /// Runs that ended because an allowance was used up, since the state was entered.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub quota_waits: u32,
    /// What its agents may use (E-8).
    #[serde(default, skip_serializing_if = "Budget::is_unlimited")]
    pub budget: Budget,
    /// The run that begins later by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub postponed: Option<Postponed>,
    /// Messages that no agent is known to have read yet, the oldest first (T-22).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steers: Vec<Steer>,
    /// Who last submitted it (T-5).
    pub holder: Option<Assignee>,
    /// What the last rejection said; the next turn's prompt contains it.
    pub feedback: Option<String>,
    /// What one hand told the next, the oldest first; every later prompt contains all of it (T-20).
    #[serde(default)]
    pub handoffs: Vec<Handoff>,
    /// Where it comes from, how it landed, and what followed.
    #[serde(default, skip_serializing_if = "Aftermath::is_blank")]
    pub aftermath: Box<Aftermath>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl Snapshot {
    /// Whether its landing waits for a person to finish what they are at (M-7).
    pub fn waits_for_a_checkout(&self) -> bool {
        self.annotation
            .as_ref()
            .is_some_and(|trouble| trouble.kind == AnnotationType::TargetCheckoutDirty)
    }

    /// Whether its landing is in the hands of others: checks elsewhere, people who approve (M-16).
    pub fn waits_for_a_pull_request(&self) -> bool {
        self.pull_request.as_ref().is_some_and(|pull| pull.state == PullRequestState::Open)
    }

    /// The mark of what runs for the landing of a visit.
    pub fn landing_mark(&self, visit: u64) -> Uuid {
        let text = format!("landing {} {visit}", self.id);
        let mut bytes = [0; 16];
        bytes.iter_mut().zip(Sha256::digest(text)).for_each(|(byte, hashed)| *byte = hashed);
        uuid::Builder::from_custom_bytes(bytes).into_uuid()
    }

    /// The turn it is, if it is one.
    pub fn turn(&self) -> Option<&Turn> {
        match &self.subtask {
            Some(Subtask::OrderedTurn(turn)) => Some(turn),
            Some(Subtask::Independent { .. }) | None => None,
        }
    }

    /// How many tasks are above it.
    pub fn depth(&self) -> u32 {
        match (&self.subtask, self.parent) {
            (Some(Subtask::Independent { depth }), _) => *depth,
            (_, parent) => u32::from(parent.is_some()),
        }
    }

    /// Whether somebody works on it, or something is being done for it.
    pub fn is_at_work(&self) -> bool {
        self.run.is_some() || self.activity.is_some()
    }

    /// The agent that let go of it last.
    pub fn handed_off_by(&self) -> Option<AgentId> {
        self.handoffs.last()?.from?.agent()
    }

    /// Its short name.
    pub fn key(&self) -> TaskKey {
        TaskKey(self.number)
    }

    /// Whether an answer that promised the result of what just began must still wait: the engine is at something that
    /// ends by itself soon. A running agent is not that.
    pub fn is_settling(&self) -> bool {
        match self.activity {
            Some(Activity::Running { .. }) | None => false,
            Some(Activity::Landing) => {
                !self.waits_for_a_checkout() && !self.waits_for_a_pull_request()
            }
            Some(_) => true,
        }
    }
}

/// The number of a task as people say it: `T-12`.
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
