//! Events of a task. Only events change a snapshot, and every client receives them.

use crate::branch_update::{RebaseResult, RevertResult};
use crate::command::TaskPatch;
use crate::land_result::LandResult;
use crate::report::{CheckResult, ExecutionEnding, ExecutionResult, ProcessRecord, Verdict};
use crate::task::{
    Annotation, AnnotationType, AnswerTurn, ExecutionOverrides, HandoffNote, OpenQuestion,
    PostponedExecution, PullRequest, RegressionRecord, SteerMessage, TaskExecution, TaskSnapshot,
    VerificationResult, Workspace,
};
use crate::workflow::{BoardPhase, RoleName, StateName, TaskStanding, WorkflowHash};
use crate::{
    AgentReport, Assignee, CommentId, ExecutionId, ReceiptKey, ReceiptOrigin, ReviewId, TaskId,
    Timestamp,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use uuid::Uuid;

/// An event of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", content = "data")]
pub enum TaskEvent {
    /// The task was created.
    #[serde(rename = "task.created")]
    TaskCreated(Box<TaskSnapshot>),
    /// Its fields were edited.
    #[serde(rename = "task.updated")]
    TaskUpdated(Box<TaskPatch>),
    /// It entered another state.
    #[serde(rename = "task.transitioned")]
    TaskTransitioned {
        /// The previous state.
        from: StateName,
        /// The new state.
        to: StateName,
        /// Board column of the new state.
        phase: BoardPhase,
        /// Progress of the task.
        standing: TaskStanding,
        /// Whether the task can be claimed now.
        claimable: bool,
        /// Whether a gate sent the task back.
        rejection: bool,
        reason: Option<String>,
        /// Whether a person moved the task. That lets agents that handed it off take it again (T-20).
        #[serde(default, skip_serializing_if = "is_false")]
        by_person: bool,
        /// Roles that lost their holder, so that other assignees can claim the task.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        released: Vec<RoleName>,
    },
    /// It was moved into another workflow, to the successor of its state.
    #[serde(rename = "task.adopted")]
    TaskAdopted {
        /// Hash of the new workflow.
        workflow: WorkflowHash,
        /// State in the old workflow.
        from: StateName,
        /// State in the new workflow.
        to: StateName,
        /// Board column of the new state.
        phase: BoardPhase,
        /// Progress of the task.
        standing: TaskStanding,
        /// Whether the task can be claimed now.
        claimable: bool,
        /// Counted rejections, by the new names of the gates.
        rejections: BTreeMap<StateName, u32>,
        /// New name of the gate of the last attempt.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        gate: Option<StateName>,
        /// New name of the state to which its failed landing leads back.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        returning: Option<StateName>,
    },
    /// The task needs attention, or no longer does.
    #[serde(rename = "task.annotated")]
    TaskAnnotated {
        /// The problem; `None` clears it.
        annotation: Option<Annotation>,
    },
    /// The task was hidden from default lists.
    #[serde(rename = "task.archived")]
    TaskArchived,
    /// The task was shown again.
    #[serde(rename = "task.unarchived")]
    TaskUnarchived,
    /// A role was assigned.
    #[serde(rename = "task.assigned")]
    TaskAssigned {
        role: RoleName,
        assignee: Assignee,
        /// What a claim changes about the agent's settings (T-3).
        #[serde(default, skip_serializing_if = "ExecutionOverrides::is_empty")]
        overrides: Box<ExecutionOverrides>,
    },
    /// Roles lost their holder, because it was removed.
    #[serde(rename = "task.unassigned")]
    TaskUnassigned { released: Vec<RoleName> },
    /// The holder handed the task off; it waits for the next one.
    #[serde(rename = "task.handed_off")]
    TaskHandedOff {
        /// The note, and the location of the work.
        handoff: Box<HandoffNote>,
        /// Roles that lost their holder.
        released: Vec<RoleName>,
    },
    /// The work was submitted. The same assignee may now claim a dependent task.
    #[serde(rename = "task.submitted")]
    TaskSubmitted { by: Assignee },
    /// The pass of the gate is void, because another assignee continues the task.
    #[serde(rename = "task.unpassed")]
    TaskUnpassed,
    /// A dependency was added.
    #[serde(rename = "dependency.added")]
    DependencyAdded { on: TaskId },
    /// A dependency was removed.
    #[serde(rename = "dependency.removed")]
    DependencyRemoved { on: TaskId },
    /// An ordered turn was added (T-17).
    #[serde(rename = "turn.added")]
    TurnAdded { turn: TaskId },
    /// Its own work is done, and it waits for the open turns.
    #[serde(rename = "turns.begun")]
    TurnsBegun,
    /// It moved on, and the turns in its workspace are being stopped.
    #[serde(rename = "turns.ending")]
    TurnsEnding,
    /// No turn is running in its workspace any more.
    #[serde(rename = "turns.ended")]
    TurnsEnded,
    /// An execution was opened.
    #[serde(rename = "execution.created")]
    ExecutionCreated(TaskExecution),
    /// The agent's process runs, or the person may start.
    #[serde(rename = "execution.started")]
    ExecutionStarted {
        execution: ExecutionId,
        /// The process, if Forge started one.
        process: Option<ProcessRecord>,
    },
    /// A person sent a message to the running agent.
    #[serde(rename = "execution.steered")]
    ExecutionSteered { steer: Box<SteerMessage> },
    /// A planning execution ended with its plan.
    #[serde(rename = "task.planned")]
    TaskPlanned {
        /// The last answer of the planner.
        plan: String,
    },
    /// A question to the person in charge was asked (T-27).
    #[serde(rename = "question.asked")]
    QuestionAsked { question: Box<OpenQuestion> },
    /// A question was answered.
    #[serde(rename = "question.answered")]
    QuestionAnswered {
        /// Number of the question.
        number: u32,
        /// Text of the answer.
        answer: String,
        /// The message that takes the answer to the agent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<Box<SteerMessage>>,
    },
    /// The asking program fetched the answer itself.
    #[serde(rename = "question.received")]
    QuestionReceived { number: u32 },
    /// An execution ended before its questions were answered; the answers start the next one.
    #[serde(rename = "questions.awaited")]
    QuestionsAwaited { turn: AnswerTurn },
    /// Questions are closed without an answer: the task has ended or moved on.
    #[serde(rename = "questions.closed")]
    QuestionsClosed { numbers: Vec<u32> },
    /// An execution was postponed, or the wait was cancelled.
    #[serde(rename = "execution.postponed")]
    ExecutionPostponed {
        /// The postponed execution; `None` ends the wait.
        postponed: Option<Box<PostponedExecution>>,
    },
    /// The agent shows no activity.
    #[serde(rename = "execution.stalled")]
    ExecutionStalled {
        execution: ExecutionId,
        /// Time of its last activity.
        since: Timestamp,
    },
    /// The current activity is being stopped.
    #[serde(rename = "task.stopping")]
    TaskStopping {
        /// Mark in the environment of the processes.
        mark: Uuid,
    },
    /// No process of the activity is left.
    #[serde(rename = "task.stopped")]
    TaskStopped {
        /// Mark in the environment of the processes.
        mark: Uuid,
    },
    /// The execution has ended.
    #[serde(rename = "execution.finished")]
    ExecutionFinished { execution: ExecutionId, result: ExecutionResult },
    /// The task entered a gate.
    #[serde(rename = "review.started")]
    ReviewStarted {
        review: ReviewId,
        /// Number of this review of the task.
        attempt: u32,
    },
    /// The checks of the review have ended.
    #[serde(rename = "review.checked")]
    ReviewChecked {
        review: ReviewId,
        commit: String,
        results: Vec<CheckResult>,
        /// Whether a judge is asked now.
        judged: bool,
        /// Key of the receipt; `None` if the checks did not pass, or did not run on a tree.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        receipt: Option<ReceiptKey>,
        /// The earlier run whose results were reused, if an equal tree had passed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        taken_from: Option<ReceiptOrigin>,
    },
    /// The review has ended.
    #[serde(rename = "review.finished")]
    ReviewFinished {
        review: ReviewId,
        /// The verdict; `None` if the task moved on first.
        verdict: Option<Verdict>,
        /// Whether it counts against the gate's attempts.
        counted: bool,
        /// The judge; `None` if the checks alone decided.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Assignee>,
    },
    /// A judge gave its verdict by a call. It counts when the judge's execution ends.
    #[serde(rename = "review.judged")]
    ReviewJudged {
        /// The judge's execution.
        execution: ExecutionId,
        verdict: Verdict,
    },
    /// A person passed an attempt whose review had ended.
    #[serde(rename = "review.approved")]
    ReviewApproved {
        attempt: u32,
        by: Assignee,
        reason: Option<String>,
        /// Whether this overrides the gate's result.
        overrides: bool,
    },
    /// A landing has started.
    #[serde(rename = "merge.started")]
    MergeStarted,
    /// A landing has ended.
    #[serde(rename = "merge.finished")]
    MergeFinished { result: LandResult },
    /// A landing failed, and the merge state sends the task back to work.
    #[serde(rename = "merge.sent_back")]
    MergeSentBack {
        to: StateName,
        /// Whether the branch conflicts with its target; else the checks failed on the merged tree.
        conflict: bool,
        /// Number of failed landings.
        attempt: u32,
        /// The commit on which the checks failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trial: Option<String>,
    },
    /// A task that waited to be sent back is landed again, because its target moved. It does not count as an attempt.
    #[serde(rename = "merge.tried_again")]
    MergeTriedAgain,
    /// Landings failed too often, and a person must decide.
    #[serde(rename = "merge.exhausted")]
    MergeExhausted {
        /// Number of failed landings.
        attempts: u32,
    },
    /// The pull request was opened or changed (M-16).
    #[serde(rename = "pull_request.changed")]
    PullRequestChanged {
        /// The pull request as last read.
        pull_request: PullRequest,
    },
    /// The workspace was created.
    #[serde(rename = "workspace.created")]
    WorkspaceCreated { workspace: Workspace },
    /// The removal of the workspace has started.
    #[serde(rename = "workspace.cleaning")]
    WorkspaceCleaning,
    /// The workspace directory was moved away, and its content is being saved.
    #[serde(rename = "workspace.removing")]
    WorkspaceRemoving,
    /// The workspace was removed.
    #[serde(rename = "workspace.cleaned")]
    WorkspaceCleaned {
        /// Whether the branch was deleted as well.
        branch_deleted: bool,
        /// Problems that were not serious enough to fail the removal.
        warnings: Vec<String>,
    },
    /// The workspace could not be removed.
    #[serde(rename = "workspace.error")]
    WorkspaceError { error: String },
    /// The merge of the target into the branch has started.
    #[serde(rename = "workspace.rebasing")]
    WorkspaceRebasing,
    /// The target was merged into the branch, or the files contain conflicts.
    #[serde(rename = "workspace.rebased")]
    WorkspaceRebased { result: RebaseResult },
    /// The branch contains the revert of another task's landing, or the files contain conflicts.
    #[serde(rename = "workspace.inverted")]
    WorkspaceInverted { result: RevertResult },
    /// Another task reverts its landing.
    #[serde(rename = "task.reverted")]
    TaskReverted { by: TaskId },
    /// The remote checks of its landing were read.
    #[serde(rename = "task.verified")]
    TaskVerified {
        /// The result of the checks.
        result: VerificationResult,
    },
    /// Its landing broke something.
    #[serde(rename = "task.regressed")]
    TaskRegressed {
        /// What broke, and the task that fixes it.
        regression: Box<RegressionRecord>,
    },
    /// Uncommitted edits were saved and discarded.
    #[serde(rename = "workspace.reset")]
    WorkspaceReset,
    /// The missing workspace directory was recreated from its branch.
    #[serde(rename = "workspace.recovered")]
    WorkspaceRecovered,
    /// The state of the workspace was saved in its journal.
    #[serde(rename = "journal.recorded")]
    JournalRecorded {
        /// Number of the journal entry.
        entry: u64,
        /// Reason for the entry.
        reason: String,
        /// Whether the files differ from the checked-out commit.
        differs: bool,
    },
    /// The files were restored from a journal entry.
    #[serde(rename = "workspace.restored")]
    WorkspaceRestored {
        /// Number of the journal entry.
        entry: u64,
        /// Whether the branch was reset to the entry's commit as well.
        branch_moved: bool,
        /// The new merge base of the branch and its target, if it changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        base: Option<String>,
        /// Files with a conflict between the entry and commits that landed since.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        conflicts: Vec<String>,
    },
    /// An effect failed for good, and the engine does nothing for the task now.
    #[serde(rename = "effect.failed")]
    EffectFailed { trouble: AnnotationType },
    /// It began to wait for a person, or waits for another reason now.
    #[serde(rename = "task.needs_person")]
    TaskNeedsPerson {
        number: i64,
        title: String,
        /// Code of the reason, as in the list of tasks that wait for a person.
        reason: String,
        /// What happened, if a problem is the reason.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// Its branch is in the target.
    #[serde(rename = "task.landed")]
    TaskLanded {
        number: i64,
        title: String,
        /// The landed commit; `None` if the target already contained the work.
        commit: Option<String>,
        target: String,
    },
    /// The work on it failed, and Forge does not continue it by itself.
    #[serde(rename = "task.failed")]
    TaskFailed {
        number: i64,
        title: String,
        /// Code of the problem, or `ended` if it ended in a state for failure.
        reason: String,
        /// What happened, in words for a person.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
        /// Whether it waits for a person now; `task.needs_person` follows then.
        needs_person: bool,
    },
    /// A comment was added.
    #[serde(rename = "comment.created")]
    CommentCreated {
        comment: CommentId,
        /// The comment it answers.
        parent: Option<CommentId>,
        /// Text in Markdown.
        body: String,
    },
}

/// Name of an event on the wire: `noun.verb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventKind(pub &'static str);

impl TaskEvent {
    /// Name of the event on the wire.
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
            Self::TaskUnassigned { .. } => "task.unassigned",
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
            Self::TaskPlanned { .. } => "task.planned",
            Self::QuestionAsked { .. } => "question.asked",
            Self::QuestionAnswered { .. } => "question.answered",
            Self::QuestionReceived { .. } => "question.received",
            Self::QuestionsAwaited { .. } => "questions.awaited",
            Self::QuestionsClosed { .. } => "questions.closed",
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
            Self::MergeSentBack { .. } => "merge.sent_back",
            Self::MergeTriedAgain => "merge.tried_again",
            Self::MergeExhausted { .. } => "merge.exhausted",
            Self::PullRequestChanged { .. } => "pull_request.changed",
            Self::WorkspaceCreated { .. } => "workspace.created",
            Self::WorkspaceCleaning => "workspace.cleaning",
            Self::WorkspaceRemoving => "workspace.removing",
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
            Self::EffectFailed { .. } => "effect.failed",
            Self::TaskNeedsPerson { .. } => "task.needs_person",
            Self::TaskLanded { .. } => "task.landed",
            Self::TaskFailed { .. } => "task.failed",
            Self::CommentCreated { .. } => "comment.created",
        })
    }

    /// Whether the event increments the version. Only changes that a person decides by do: an agent's progress must not
    /// make the version stale that a person is looking at.
    pub(crate) fn is_versioned(&self) -> bool {
        matches!(
            self,
            Self::TaskCreated(_)
                | Self::TaskUpdated(_)
                | Self::TaskTransitioned { .. }
                | Self::TaskAdopted { .. }
                | Self::TaskArchived
                | Self::TaskUnarchived
                | Self::TaskAssigned { .. }
                | Self::TaskUnassigned { .. }
                | Self::TaskHandedOff { .. }
                | Self::DependencyAdded { .. }
                | Self::DependencyRemoved { .. }
        )
    }
}

impl ExecutionResult {
    /// The verdict in the output, if the execution ended well. Output before a crash is no verdict.
    pub(crate) fn printed_verdict(&self) -> Option<&Verdict> {
        let well =
            self.ending == ExecutionEnding::Exited { code: 0 } && self.told.failure.is_none();
        self.verdict.as_ref().filter(|_| well)
    }

    /// The result of an execution that did nothing, or whose results are unknown.
    pub fn without_work(ending: ExecutionEnding) -> Self {
        Self {
            ending,
            base: None,
            head: None,
            changed: false,
            verdict: None,
            tail: String::new(),
            told: AgentReport::default(),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_false(flag: &bool) -> bool {
    !*flag
}
