//! What an effect found or did. Reports come back as commands of the engine itself.

use crate::Told;
use crate::joined::{Inverted, Rebased};
use crate::land_result::LandResult;
use crate::task::{AnnotationType, PullRequest, Verified, Workspace};
use crate::{ExecutionId, ReceiptKey, ReceiptOrigin, ReviewId, TaskId, Timestamp};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The ending of an effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Report {
    /// The workspace is there and verified.
    WorkspaceReady {
        /// For which execution.
        execution: ExecutionId,
        /// What was made or found.
        workspace: Workspace,
    },
    /// The workspace is there and verified, and its setup has yet to run (W-13).
    WorkspaceMade {
        /// For which execution.
        execution: ExecutionId,
        /// What was made or found.
        workspace: Workspace,
    },
    /// The setup of the workspace is over and did not fail.
    SetupEnded {
        /// For which execution.
        execution: ExecutionId,
        /// Whether it was cut short because the task moved on.
        stopped: bool,
    },
    /// The agent's process runs.
    RunStarted {
        /// Which execution.
        execution: ExecutionId,
        /// Its process.
        process: ProcessRecord,
    },
    /// The execution is over and its work committed.
    RunEnded {
        /// Which execution.
        execution: ExecutionId,
        /// How.
        result: RunResult,
    },
    /// The agent's program shows no sign of life, or shows one again (T-23).
    Silence {
        /// Which execution.
        execution: ExecutionId,
        /// What was noticed.
        silence: Silence,
    },
    /// What a run waited for may be there.
    RunDue,
    /// Messages are where the program looks for them; whether it took them is known by its end.
    SteerDelivered {
        /// Whose.
        execution: ExecutionId,
    },
    /// A turn in the workspace came to a halt, or goes on again (T-17).
    TurnChanged {
        /// Whether it is over for good.
        ended: bool,
    },
    /// The parent knows how the turn stands.
    ParentTold,
    /// The next turn has begun.
    TurnBegun,
    /// The next turn could not begin.
    TurnRefused {
        /// Which one.
        turn: TaskId,
        /// Why, and what to do.
        message: String,
    },
    /// Nothing with this mark lives any more.
    Stopped {
        /// The mark.
        mark: Uuid,
    },
    /// The checks of a review are over.
    ChecksEnded {
        /// Which review.
        review: ReviewId,
        /// The commit they ran at.
        commit: String,
        /// One result for each step that ran.
        results: Vec<CheckResult>,
        /// Whether the checks were undone by their own set-up rather than by the change.
        setup_failed: bool,
        /// What their receipt is found by, if all of them passed on a tree.
        #[serde(default)]
        receipt: Option<ReceiptKey>,
        /// The run the results were taken from, if none was needed now.
        #[serde(default)]
        taken_from: Option<ReceiptOrigin>,
    },
    /// The pull request by which the task lands looks like this now (M-16).
    PullRequestSeen {
        /// As it was seen.
        pull_request: PullRequest,
    },
    /// A landing ended.
    LandingEnded {
        /// The visit of the merge state it belongs to.
        visit: u64,
        /// How.
        result: LandResult,
    },
    /// The workspace's directory is out of the way; what was in it is dealt with next.
    WorkspaceSetAside,
    /// The workspace is removed.
    WorkspaceCleaned {
        /// Whether the branch is gone too.
        branch_deleted: bool,
        /// What could not be done and does not matter enough to fail.
        warnings: Vec<String>,
    },
    /// The workspace could not be removed; it is tried again.
    CleaningFailed {
        /// Why.
        error: String,
    },
    /// The target was merged into the branch, or both stand in the files.
    Rebased {
        /// The visit of the state it was asked for in.
        visit: u64,
        /// Where.
        workspace: Workspace,
        /// How.
        result: Rebased,
        /// What whoever works on the task is told besides.
        message: Option<String>,
    },
    /// The workspace of a task that takes back another's work is there.
    Inverted {
        /// Where.
        workspace: Workspace,
        /// How.
        result: Inverted,
    },
    /// What is known of a landed commit from where it was pushed.
    LandingVerified {
        /// What.
        result: Verified,
    },
    /// Nothing is known of it yet.
    VerificationWaits,
    /// Uncommitted edits are gone, and saved.
    WorktreeReset,
    /// The workspace was thrown away, its work kept, and a new one made (W-9).
    WorkspaceRenewed {
        /// The new one.
        workspace: Workspace,
        /// What could not be done and does not matter enough to fail.
        warnings: Vec<String>,
    },
    /// The workspace's directory was gone, and was made again from its branch (W-8).
    WorkspaceRecovered,
    /// The state of the workspace was written into its journal.
    JournalRecorded {
        /// The entry's number.
        entry: u64,
        /// Why it was written.
        reason: String,
        /// Whether the files differ from the commit they were on.
        differs: bool,
    },
    /// The files are those of an entry again.
    WorkspaceRestored {
        /// The entry's number.
        entry: u64,
        /// Whether the branch went back too.
        branch_moved: bool,
    },
    /// A step cannot succeed; the task needs a person.
    StepFailed {
        /// The visit of the state that wanted it.
        visit: u64,
        /// Which trouble.
        trouble: AnnotationType,
        /// Why, and what to do.
        message: String,
        /// Evidence.
        details: serde_json::Value,
    },
}

/// What is noticed of an agent that neither prints nor changes a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Silence {
    /// It has been silent for its first threshold.
    Stalled {
        /// Since when.
        since: Timestamp,
    },
    /// It has been silent for its second threshold.
    Stuck {
        /// Since when.
        since: Timestamp,
    },
    /// It is not silent any more.
    Broken,
}

/// A process as it is told from every other: pid, start time and boot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessRecord {
    /// Process id.
    pub pid: i32,
    /// Start time in clock ticks since boot.
    pub start_ticks: u64,
    /// The boot it belongs to.
    pub boot_id: String,
}

/// How an execution ended and what it left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunResult {
    /// How the process ended.
    pub ending: Ending,
    /// The branch's head before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// The branch's head afterwards.
    pub head: Option<String>,
    /// Whether the branch differs from where the execution began.
    pub changed: bool,
    /// The judgement, if it was asked for and could be read.
    pub verdict: Option<Verdict>,
    /// The last lines of its output.
    pub tail: String,
    /// What the program told about it.
    #[serde(default)]
    pub told: Told,
}

/// The ways an execution ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Ending {
    /// The program returned this code.
    Exited {
        /// Exit code.
        code: i32,
    },
    /// A signal ended it.
    Signalled {
        /// Signal number.
        signal: i32,
    },
    /// It took too long.
    TimedOut,
    /// It was asked to stop.
    Stopped,
    /// Its server died; nobody saw how it ended.
    Lost,
    /// A person handed in.
    Submitted,
}

/// What a reviewer says (M-3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// Good.
    Pass {
        /// Remarks.
        #[serde(default)]
        feedback: Option<String>,
    },
    /// Not good.
    Fail {
        /// What to change.
        feedback: String,
    },
    /// Could not judge.
    Blocked {
        /// Why.
        feedback: String,
    },
}

impl Verdict {
    /// What it says besides.
    pub fn feedback(&self) -> Option<&str> {
        match self {
            Self::Pass { feedback } => feedback.as_deref(),
            Self::Fail { feedback } | Self::Blocked { feedback } => Some(feedback),
        }
    }
}

/// One check of a review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckResult {
    /// The command.
    pub command: String,
    /// Its exit code, if it returned one.
    pub exit_code: Option<i32>,
    /// How it ended.
    pub outcome: CheckOutcome,
    /// How long it took.
    pub duration_ms: u64,
    /// The last lines of its output.
    pub output_tail: String,
    /// Where the whole of it is in the log of its review.
    #[serde(default)]
    pub log: LogSpan,
}

/// A part of a log, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LogSpan {
    /// Where it begins.
    pub from: u64,
    /// Where it is over.
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
    /// Took too long.
    TimedOut,
    /// Was asked to stop.
    Stopped,
    /// Failed, while nobody is blamed for its failures (M-12).
    Quarantined,
}

impl CheckResult {
    /// Whether nobody is to blame: it is as it should be, or not trusted for now.
    pub fn has_passed(&self) -> bool {
        self.has_held() || self.outcome == CheckOutcome::Quarantined
    }

    /// Whether it is as it should be.
    pub fn has_held(&self) -> bool {
        self.outcome == CheckOutcome::Passed
    }

    /// What it is about and how it ended, with the last it said.
    pub fn describe(&self) -> String {
        let how = match (self.outcome, self.exit_code) {
            (CheckOutcome::TimedOut, _) => "took too long".to_owned(),
            (_, Some(code)) => format!("exited with code {code}"),
            (_, None) => "was ended by a signal".to_owned(),
        };
        format!("`{}` {how}\n{}", self.command, self.output_tail)
    }
}
