//! What happened to a task. The only thing that changes a snapshot, and what every client is told.

use crate::command::TaskPatch;
use crate::joined::{Inverted, Rebased};
use crate::land_result::LandResult;
use crate::report::{CheckResult, Ending, ProcessRecord, RunResult, Verdict};
use crate::task::{
    Annotation, AnnotationType, Handoff, Postponed, PullRequest, Regression, Run, Snapshot, Steer,
    Verified, Workspace,
};
use crate::workflow::{Phase, RoleName, Standing, StateName, WorkflowHash};
use crate::{
    Assignee, CommentId, ExecutionId, ReceiptKey, ReceiptOrigin, ReviewId, TaskId, Timestamp, Told,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use uuid::Uuid;

/// A fact about a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", content = "data")]
pub enum Event {
    /// It exists.
    #[serde(rename = "task.created")]
    TaskCreated(Box<Snapshot>),
    /// It says something else now.
    #[serde(rename = "task.updated")]
    TaskUpdated(Box<TaskPatch>),
    /// It changed its state.
    #[serde(rename = "task.transitioned")]
    TaskTransitioned {
        /// From where.
        from: StateName,
        /// To where.
        to: StateName,
        /// Board column of the new state.
        phase: Phase,
        /// How far it has come.
        standing: Standing,
        /// Whether claims look at it now.
        claimable: bool,
        /// Whether a gate sent it back.
        rejection: bool,
        /// Why.
        reason: Option<String>,
    },
    /// It goes on in another workflow, at the place it had.
    #[serde(rename = "task.adopted")]
    TaskAdopted {
        /// The workflow it is pinned to now.
        workflow: WorkflowHash,
        /// Its state there.
        from: StateName,
        /// Its state here.
        to: StateName,
        /// Board column of the new state.
        phase: Phase,
        /// How far it has come.
        standing: Standing,
        /// Whether claims look at it now.
        claimable: bool,
        /// Counted rejections by gate, as the gates are called now.
        rejections: BTreeMap<StateName, u32>,
        /// The gate of the last attempt, as it is called now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        gate: Option<StateName>,
    },
    /// It needs attention, or no longer does.
    #[serde(rename = "task.annotated")]
    TaskAnnotated {
        /// The trouble; none clears it.
        annotation: Option<Annotation>,
    },
    /// Hidden.
    #[serde(rename = "task.archived")]
    TaskArchived,
    /// Shown again.
    #[serde(rename = "task.unarchived")]
    TaskUnarchived,
    /// Somebody holds a role.
    #[serde(rename = "task.assigned")]
    TaskAssigned {
        /// Which role.
        role: RoleName,
        /// Who.
        assignee: Assignee,
    },
    /// Who carried it let go of it; it waits for the next hand.
    #[serde(rename = "task.handed_off")]
    TaskHandedOff {
        /// The note, and where the work is.
        handoff: Box<Handoff>,
        /// The roles nobody holds any more.
        released: Vec<RoleName>,
    },
    /// It was handed in; a dependent may now be claimed by the same hand.
    #[serde(rename = "task.submitted")]
    TaskSubmitted {
        /// By whom.
        by: Assignee,
    },
    /// The gate's pass no longer holds: somebody else carries the task on.
    #[serde(rename = "task.unpassed")]
    TaskUnpassed,
    /// It waits for another.
    #[serde(rename = "dependency.added")]
    DependencyAdded {
        /// The other.
        on: TaskId,
    },
    /// It waits no longer.
    #[serde(rename = "dependency.removed")]
    DependencyRemoved {
        /// The other.
        on: TaskId,
    },
    /// Another task takes a turn in its workspace (T-17).
    #[serde(rename = "turn.added")]
    TurnAdded {
        /// The other.
        turn: TaskId,
    },
    /// Its own work is done; it waits for the turns that are left.
    #[serde(rename = "turns.begun")]
    TurnsBegun,
    /// It moved on; turns in its workspace are being ended.
    #[serde(rename = "turns.ending")]
    TurnsEnding,
    /// No turn is under way in its workspace any more.
    #[serde(rename = "turns.ended")]
    TurnsEnded,
    /// An execution was opened.
    #[serde(rename = "execution.created")]
    ExecutionCreated(Run),
    /// Its process runs, or the person may begin.
    #[serde(rename = "execution.started")]
    ExecutionStarted {
        /// Which.
        execution: ExecutionId,
        /// The process, if Forge started one.
        process: Option<ProcessRecord>,
    },
    /// Somebody said something to it while it works.
    #[serde(rename = "execution.steered")]
    ExecutionSteered {
        /// What.
        steer: Box<Steer>,
    },
    /// It begins later by itself, or is not waited for any more.
    #[serde(rename = "execution.postponed")]
    ExecutionPostponed {
        /// What is to be begun; none ends the wait.
        postponed: Option<Box<Postponed>>,
    },
    /// It shows no sign of life.
    #[serde(rename = "execution.stalled")]
    ExecutionStalled {
        /// Which.
        execution: ExecutionId,
        /// Since when.
        since: Timestamp,
    },
    /// What is under way is being ended.
    #[serde(rename = "task.stopping")]
    TaskStopping {
        /// The mark its processes carry.
        mark: Uuid,
    },
    /// Nothing of it lives any more.
    #[serde(rename = "task.stopped")]
    TaskStopped {
        /// The mark its processes carried.
        mark: Uuid,
    },
    /// The execution is over.
    #[serde(rename = "execution.finished")]
    ExecutionFinished {
        /// Which.
        execution: ExecutionId,
        /// How.
        result: RunResult,
    },
    /// A gate was entered.
    #[serde(rename = "review.started")]
    ReviewStarted {
        /// Which review.
        review: ReviewId,
        /// Counts the reviews of the task.
        attempt: u32,
    },
    /// Its checks are over.
    #[serde(rename = "review.checked")]
    ReviewChecked {
        /// Which review.
        review: ReviewId,
        /// The commit.
        commit: String,
        /// The results.
        results: Vec<CheckResult>,
        /// Whether a judge is asked now.
        judged: bool,
        /// What the receipt of these checks is found by; none if they did not pass, or on no tree.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        receipt: Option<ReceiptKey>,
        /// The run the results were taken from, if an equal tree had passed before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        taken_from: Option<ReceiptOrigin>,
    },
    /// The gate has decided.
    #[serde(rename = "review.finished")]
    ReviewFinished {
        /// Which review.
        review: ReviewId,
        /// The decision; none when it was overtaken by events.
        verdict: Option<Verdict>,
        /// Whether it counts against the gate's attempts.
        counted: bool,
        /// Who decided; none for the checks alone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Assignee>,
    },
    /// A judge has said its verdict by a call; it counts when its run is over.
    #[serde(rename = "review.judged")]
    ReviewJudged {
        /// The run that spoke.
        execution: ExecutionId,
        /// What it said.
        verdict: Verdict,
    },
    /// A person stands for work whose review was over.
    #[serde(rename = "review.approved")]
    ReviewApproved {
        /// The attempt.
        attempt: u32,
        /// Who.
        by: Assignee,
        /// Why.
        reason: Option<String>,
        /// Whether the gate had not let it pass.
        overrides: bool,
    },
    /// A landing began.
    #[serde(rename = "merge.started")]
    MergeStarted,
    /// A landing ended.
    #[serde(rename = "merge.finished")]
    MergeFinished {
        /// How.
        result: LandResult,
    },
    /// The pull request by which it lands was opened, or looks different (M-16).
    #[serde(rename = "pull_request.changed")]
    PullRequestChanged {
        /// As it was seen.
        pull_request: PullRequest,
    },
    /// The workspace is there.
    #[serde(rename = "workspace.created")]
    WorkspaceCreated {
        /// What was made.
        workspace: Workspace,
    },
    /// The workspace is about to go.
    #[serde(rename = "workspace.cleaning")]
    WorkspaceCleaning,
    /// The workspace's directory is gone from its place; what was in it is being saved.
    #[serde(rename = "workspace.leaving")]
    WorkspaceLeaving,
    /// The workspace is gone.
    #[serde(rename = "workspace.cleaned")]
    WorkspaceCleaned {
        /// Whether the branch is gone too.
        branch_deleted: bool,
        /// What could not be done and does not matter enough to fail.
        warnings: Vec<String>,
    },
    /// The workspace could not be removed.
    #[serde(rename = "workspace.error")]
    WorkspaceError {
        /// Why.
        error: String,
    },
    /// The target is about to be merged into the branch.
    #[serde(rename = "workspace.rebasing")]
    WorkspaceRebasing,
    /// The target was merged into the branch, or both stand in the files.
    #[serde(rename = "workspace.rebased")]
    WorkspaceRebased {
        /// How.
        result: Rebased,
    },
    /// The branch holds the inverse of what another task landed, or both stand in the files.
    #[serde(rename = "workspace.inverted")]
    WorkspaceInverted {
        /// How.
        result: Inverted,
    },
    /// Another task takes back what it landed.
    #[serde(rename = "task.reverted")]
    TaskReverted {
        /// The other.
        by: TaskId,
    },
    /// What it landed was looked at where it was pushed.
    #[serde(rename = "task.verified")]
    TaskVerified {
        /// What was found.
        result: Verified,
    },
    /// What it landed broke something.
    #[serde(rename = "task.regressed")]
    TaskRegressed {
        /// What, and the task that mends it.
        regression: Box<Regression>,
    },
    /// Uncommitted edits were thrown away, and saved.
    #[serde(rename = "workspace.reset")]
    WorkspaceReset,
    /// The workspace's directory was gone, and was made again from its branch.
    #[serde(rename = "workspace.recovered")]
    WorkspaceRecovered,
    /// The state of the workspace was written into its journal.
    #[serde(rename = "journal.recorded")]
    JournalRecorded {
        /// The entry's number.
        entry: u64,
        /// Why it was written.
        reason: String,
        /// Whether the files differ from the commit they were on.
        differs: bool,
    },
    /// The files are those of an entry again.
    #[serde(rename = "workspace.restored")]
    WorkspaceRestored {
        /// The entry's number.
        entry: u64,
        /// Whether the branch went back too.
        branch_moved: bool,
    },
    /// What the engine was doing cannot be done; it does nothing for the task now.
    #[serde(rename = "step.failed")]
    StepFailed {
        /// Which trouble.
        trouble: AnnotationType,
    },
    /// Somebody said something.
    #[serde(rename = "comment.created")]
    CommentCreated {
        /// Which.
        comment: CommentId,
        /// The comment it answers.
        parent: Option<CommentId>,
        /// Markdown.
        body: String,
    },
}

/// The name of an event on the wire: `noun.verb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventKind(pub &'static str);

impl Event {
    /// Its name on the wire.
    pub fn kind(&self) -> EventKind {
        EventKind(match self {
            Self::TaskCreated(_) => "task.created",
            Self::TaskUpdated(_) => "task.updated",
            Self::TaskTransitioned { .. } => "task.transitioned",
            Self::TaskAdopted { .. } => "task.adopted",
            Self::TaskAnnotated { .. } => "task.annotated",
            Self::TaskArchived => "task.archived",
            Self::TaskUnarchived => "task.unarchived",
            Self::TaskAssigned { .. } => "task.assigned",
            Self::TaskHandedOff { .. } => "task.handed_off",
            Self::TaskSubmitted { .. } => "task.submitted",
            Self::TaskUnpassed => "task.unpassed",
            Self::DependencyAdded { .. } => "dependency.added",
            Self::DependencyRemoved { .. } => "dependency.removed",
            Self::TurnAdded { .. } => "turn.added",
            Self::TurnsBegun => "turns.begun",
            Self::TurnsEnding => "turns.ending",
            Self::TurnsEnded => "turns.ended",
            Self::ExecutionCreated(_) => "execution.created",
            Self::ExecutionStarted { .. } => "execution.started",
            Self::ExecutionSteered { .. } => "execution.steered",
            Self::ExecutionPostponed { .. } => "execution.postponed",
            Self::ExecutionStalled { .. } => "execution.stalled",
            Self::TaskStopping { .. } => "task.stopping",
            Self::TaskStopped { .. } => "task.stopped",
            Self::ExecutionFinished { .. } => "execution.finished",
            Self::ReviewStarted { .. } => "review.started",
            Self::ReviewChecked { .. } => "review.checked",
            Self::ReviewFinished { .. } => "review.finished",
            Self::ReviewJudged { .. } => "review.judged",
            Self::ReviewApproved { .. } => "review.approved",
            Self::MergeStarted => "merge.started",
            Self::MergeFinished { .. } => "merge.finished",
            Self::PullRequestChanged { .. } => "pull_request.changed",
            Self::WorkspaceCreated { .. } => "workspace.created",
            Self::WorkspaceCleaning => "workspace.cleaning",
            Self::WorkspaceLeaving => "workspace.leaving",
            Self::WorkspaceCleaned { .. } => "workspace.cleaned",
            Self::WorkspaceError { .. } => "workspace.error",
            Self::WorkspaceRebasing => "workspace.rebasing",
            Self::WorkspaceRebased { .. } => "workspace.rebased",
            Self::WorkspaceInverted { .. } => "workspace.inverted",
            Self::TaskReverted { .. } => "task.reverted",
            Self::TaskVerified { .. } => "task.verified",
            Self::TaskRegressed { .. } => "task.regressed",
            Self::WorkspaceReset => "workspace.reset",
            Self::WorkspaceRecovered => "workspace.recovered",
            Self::JournalRecorded { .. } => "journal.recorded",
            Self::WorkspaceRestored { .. } => "workspace.restored",
            Self::StepFailed { .. } => "step.failed",
            Self::CommentCreated { .. } => "comment.created",
        })
    }

    /// Whether it changes what a person decides by. Only such changes count a version up: an agent's progress must
    /// not make the version stale that a person is looking at.
    pub fn is_versioned(&self) -> bool {
        matches!(
            self,
            Self::TaskCreated(_)
                | Self::TaskUpdated(_)
                | Self::TaskTransitioned { .. }
                | Self::TaskAdopted { .. }
                | Self::TaskArchived
                | Self::TaskUnarchived
                | Self::TaskAssigned { .. }
                | Self::TaskHandedOff { .. }
                | Self::DependencyAdded { .. }
                | Self::DependencyRemoved { .. }
        )
    }
}

impl RunResult {
    /// The verdict that stands in its output, if it came to its end well: what a program prints before it breaks down is
    /// no judgement.
    pub fn printed_verdict(&self) -> Option<&Verdict> {
        let well = self.ending == Ending::Exited { code: 0 } && self.told.failure.is_none();
        self.verdict.as_ref().filter(|_| well)
    }

    /// A run that ended before it did anything, or whose doings are not known.
    pub fn bare(ending: Ending) -> Self {
        Self {
            ending,
            base: None,
            head: None,
            changed: false,
            verdict: None,
            tail: String::new(),
            told: Told::default(),
        }
    }
}
