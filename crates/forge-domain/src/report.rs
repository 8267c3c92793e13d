//! Reports of effects: what they found or did. The engine sends them back as commands.

use crate::branch_update::{RebaseResult, RevertResult};
use crate::land_result::LandResult;
use crate::task::{AnnotationType, PullRequest, VerificationResult, Workspace};
use crate::{AgentReport, RefusedTool};
use crate::{ExecutionId, ReceiptKey, ReceiptOrigin, ReviewId, TaskId, Timestamp};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The result of an effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EffectReport {
    /// The workspace exists and is verified.
    WorkspaceReady {
        execution: ExecutionId,
        /// The workspace that was created or found.
        workspace: Workspace,
    },
    /// The workspace exists and is verified, but its setup has not run yet (W-13).
    WorkspaceMade {
        execution: ExecutionId,
        /// The workspace that was created or found.
        workspace: Workspace,
    },
    /// The setup of the workspace has ended without failure.
    SetupEnded {
        execution: ExecutionId,
        /// Whether it was stopped because the task moved on.
        stopped: bool,
    },
    /// The agent's process is running.
    RunStarted { execution: ExecutionId, process: ProcessRecord },
    /// The execution has ended and its work is committed.
    RunEnded { execution: ExecutionId, result: ExecutionResult },
    /// The agent's program became silent, or is active again (T-23).
    Silence { execution: ExecutionId, silence: SilenceChange },
    /// A postponed execution may start.
    RunDue,
    /// Messages were delivered to the program; its end tells whether it read them.
    SteerDelivered { execution: ExecutionId },
    /// A turn in the workspace stopped or continues (T-17).
    TurnChanged {
        /// Whether the turn has ended for good.
        ended: bool,
    },
    /// The parent received the turn's report.
    ParentTold,
    /// The next turn has started.
    TurnBegun,
    /// The next turn could not start.
    TurnRefused {
        turn: TaskId,
        /// The reason, and what the user can do about it.
        message: String,
    },
    /// No process with this mark is left.
    Stopped { mark: Uuid },
    /// The checks of a review have ended.
    ChecksEnded {
        review: ReviewId,
        /// The commit on which they ran.
        commit: String,
        /// One result for each check that ran.
        results: Vec<CheckResult>,
        /// Whether the setup of the checks failed, rather than the change.
        setup_failed: bool,
        /// Key of their receipt, if all of them passed on a tree.
        #[serde(default)]
        receipt: Option<ReceiptKey>,
        /// The earlier run whose results were reused.
        #[serde(default)]
        taken_from: Option<ReceiptOrigin>,
    },
    /// The work under review has no changes, so no check ran (E-6).
    NoChanges {
        review: ReviewId,
        /// The commit under review.
        commit: String,
        /// The agent's last answer.
        answer: String,
        /// Tools that the agent's policy refused.
        refused: Vec<RefusedTool>,
    },
    /// The current state of the task's pull request (M-16).
    PullRequestSeen {
        /// The pull request as last read.
        pull_request: PullRequest,
    },
    /// A landing has ended.
    LandingEnded {
        /// The visit of the merge state it belongs to.
        visit: u64,
        result: LandResult,
    },
    /// The target contains the task's work without a recorded landing.
    LandedOutside {
        /// The finding, and what to do.
        message: String,
        /// Evidence: target, commit, commits, before.
        details: serde_json::Value,
    },
    /// The workspace directory was moved away; its content is saved next.
    WorkspaceSetAside,
    /// The workspace was removed.
    WorkspaceCleaned {
        /// Whether the branch was deleted as well.
        branch_deleted: bool,
        /// Problems that were not serious enough to fail the removal.
        warnings: Vec<String>,
    },
    /// The workspace could not be removed; the effect retries.
    CleaningFailed { error: String },
    /// The target was merged into the branch, or the files contain conflicts.
    Rebased {
        /// The visit of the state in which it was requested.
        visit: u64,
        /// The workspace of the merge.
        workspace: Workspace,
        result: RebaseResult,
        /// Additional message for the agent or person who works on the task next.
        message: Option<String>,
    },
    /// The merge waits until another task that was sent back has landed.
    RebaseWaits,
    /// The target moved while the task waited to be sent back: its landing may succeed now.
    LandingDue {
        /// The visit of the merge state.
        visit: u64,
    },
    /// The workspace of a reverting task exists.
    Inverted {
        /// The workspace of the revert.
        workspace: Workspace,
        result: RevertResult,
    },
    /// Result of the remote checks of a landed commit.
    LandingVerified { result: VerificationResult },
    /// The remote checks have not ended.
    VerificationWaits,
    /// Uncommitted edits were saved and discarded.
    WorktreeReset,
    /// The workspace was saved and discarded, and a new one created (W-9).
    WorkspaceRenewed {
        /// The new workspace.
        workspace: Workspace,
        /// Problems that were not serious enough to fail the removal.
        warnings: Vec<String>,
    },
    /// The missing workspace directory was recreated from its branch (W-8).
    WorkspaceRecovered,
    /// The state of the workspace was saved in its journal.
    JournalRecorded {
        /// Number of the journal entry.
        entry: u64,
        /// Reason for the entry.
        reason: String,
        /// Whether the files differ from the checked-out commit.
        differs: bool,
    },
    /// The files were restored from a journal entry.
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
    /// An effect failed for good; the task needs a person.
    EffectFailed {
        /// The visit of the state that planned it.
        visit: u64,
        trouble: AnnotationType,
        /// The reason, and what the user can do about it.
        message: String,
        details: serde_json::Value,
    },
}

/// Activity of an agent that neither prints nor changes a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SilenceChange {
    /// It has been silent for its first threshold.
    Stalled { since: Timestamp },
    /// It has been silent for its second threshold.
    Stuck { since: Timestamp },
    /// It is active again.
    Broken,
}

/// A process, identified by pid, start time and boot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessRecord {
    pub pid: i32,
    /// Start time in clock ticks since boot.
    pub start_ticks: u64,
    /// Id of the boot.
    pub boot_id: String,
}

/// The result of an execution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecutionResult {
    /// How the process ended.
    pub ending: ExecutionEnding,
    /// Head of the branch before the execution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// Head of the branch after the execution.
    pub head: Option<String>,
    /// Whether the execution changed the branch.
    pub changed: bool,
    /// The verdict, if it was requested and readable.
    pub verdict: Option<Verdict>,
    /// The last lines of its output.
    pub tail: String,
    /// The agent program's own report.
    #[serde(default)]
    pub told: AgentReport,
}

/// How an execution ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ExecutionEnding {
    /// The program returned this code.
    Exited { code: i32 },
    /// A signal ended the process.
    Signalled { signal: i32 },
    /// The execution exceeded its time limit.
    TimedOut,
    /// The execution reached the deadline of its claim (T-3).
    DeadlineReached,
    /// The execution was stopped on request.
    Stopped,
    /// Its server died, so its end is unknown.
    Lost,
    /// A person submitted the work.
    Submitted,
}

/// A reviewer's verdict (M-3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// The work passes.
    Pass {
        /// Optional remarks of the reviewer.
        #[serde(default)]
        feedback: Option<String>,
    },
    /// The work must change.
    Fail {
        /// What the agent must change.
        feedback: String,
    },
    /// The reviewer could not judge.
    Blocked {
        /// The reason why not.
        feedback: String,
    },
}

impl Verdict {
    /// The feedback of the verdict.
    pub fn feedback(&self) -> Option<&str> {
        match self {
            Self::Pass { feedback } => feedback.as_deref(),
            Self::Fail { feedback } | Self::Blocked { feedback } => Some(feedback),
        }
    }
}

/// Result of one check of a review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckResult {
    pub command: String,
    /// Exit code, if the command returned one.
    pub exit_code: Option<i32>,
    pub outcome: CheckOutcome,
    pub duration_ms: u64,
    /// The last lines of its output.
    pub output_tail: String,
    /// Location of its full output in the log of the review.
    #[serde(default)]
    pub log: LogSpan,
}

/// A byte range of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LogSpan {
    pub from: u64,
    pub to: u64,
}

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckOutcome {
    /// Exit code 0.
    Passed,
    /// Another exit code, or a signal.
    Failed,
    /// The check exceeded its time limit.
    TimedOut,
    /// The check was stopped on request.
    Stopped,
    /// It failed while it was quarantined (M-12).
    Quarantined,
}

impl CheckResult {
    /// Whether it passed, or is quarantined.
    pub fn is_accepted(&self) -> bool {
        self.is_passed() || self.outcome == CheckOutcome::Quarantined
    }

    /// Whether the check passed.
    pub fn is_passed(&self) -> bool {
        self.outcome == CheckOutcome::Passed
    }

    /// Describes how the check ended, with the last lines of its output.
    pub fn describe(&self) -> String {
        let how = match (self.outcome, self.exit_code) {
            (CheckOutcome::TimedOut, _) => "took too long".to_owned(),
            (_, Some(code)) => format!("exited with code {code}"),
            (_, None) => "was ended by a signal".to_owned(),
        };
        format!("`{}` {how}\n{}", self.command, self.output_tail)
    }
}
