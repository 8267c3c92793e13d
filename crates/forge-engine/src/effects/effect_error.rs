//! Results and errors of an effect.

use crate::command::errors::EngineError;
use crate::effects::faults::PlannedFault;
use forge_domain::EffectReport;
use forge_domain::project::InvalidSettingsError;
use forge_domain::task::AnnotationType;
use forge_git::{
    BranchMoveError, GitError, PathEscapeError, RepoOpenError, WorkspaceLockError,
    WorktreeAddError, WorktreeCorruption, WorktreeVerifyError,
};
use forge_proc::SurvivorsError;
use forge_store::StoreError;
use std::error::Error;

/// How an effect ended.
#[derive(Debug)]
pub(crate) enum EffectOutcome {
    /// The effect is done; commit this report.
    Report(EffectReport),
    /// The effect is not done yet; commit this report and try again.
    Retry {
        /// The report to commit.
        report: EffectReport,
        /// Why the effect is not done.
        error: String,
        /// The longest delay before the next attempt.
        patience_seconds: u64,
    },
}

/// Why an effect did not finish. Its text is stored and shown to users; log lines show its causes too, by `ErrorChain`.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EffectError {
    /// A transient error; the effect is retried.
    #[error(transparent)]
    Transient(Box<dyn Error + Send + Sync>),
    /// Needs a person before it can succeed.
    #[error("{message}")]
    NeedsPerson {
        /// The annotation to raise.
        trouble: AnnotationType,
        /// What happened, and what to do.
        message: String,
        /// Structured evidence for clients.
        details: serde_json::Value,
    },
    /// Waits for something outside; commits the report and retries for as long as needed.
    #[error("{error}")]
    Waiting {
        /// The report to commit.
        report: Box<EffectReport>,
        /// Why the effect waits.
        error: String,
        /// The longest delay before the next attempt.
        patience_seconds: u64,
    },
    /// The lease was lost: another node has the effect, or this server is shutting down.
    #[error("another node has this effect")]
    LeaseLost,
}

impl EffectError {
    /// A transient error with its causes, or a text.
    pub(crate) fn transient(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Transient(error.into())
    }

    /// A workspace problem that a person must look at.
    pub(crate) fn workspace(message: impl Into<String>) -> Self {
        Self::for_person(AnnotationType::WorkspaceError, message)
    }

    /// An error for a person, without further evidence.
    pub(crate) fn for_person(trouble: AnnotationType, message: impl Into<String>) -> Self {
        Self::NeedsPerson { trouble, message: message.into(), details: serde_json::Value::Null }
    }
}

impl From<EngineError> for EffectError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::StaleLease => Self::LeaseLost,
            EngineError::NotFound { .. } => {
                Self::for_person(AnnotationType::EffectFailed, error.to_string())
            }
            other => Self::transient(other),
        }
    }
}

impl From<InvalidSettingsError> for EffectError {
    fn from(error: InvalidSettingsError) -> Self {
        EngineError::from(error).into()
    }
}

impl From<StoreError> for EffectError {
    fn from(error: StoreError) -> Self {
        Self::transient(error)
    }
}

impl From<GitError> for EffectError {
    fn from(error: GitError) -> Self {
        match error {
            GitError::NotCommittable { .. } | GitError::SpecialFiles { .. } => {
                Self::workspace(error.to_string())
            }
            GitError::Escaped(PathEscapeError::NotADirectory(path)) => {
                WorktreeVerifyError::from(WorktreeCorruption::NotADirectory(path)).into()
            }
            other => Self::transient(other),
        }
    }
}

impl From<WorkspaceLockError> for EffectError {
    fn from(error: WorkspaceLockError) -> Self {
        Self::transient(error)
    }
}

impl From<BranchMoveError> for EffectError {
    fn from(error: BranchMoveError) -> Self {
        Self::transient(error)
    }
}

impl From<RepoOpenError> for EffectError {
    fn from(error: RepoOpenError) -> Self {
        Self::workspace(format!("the repository cannot be used: {error}"))
    }
}

impl From<WorktreeAddError> for EffectError {
    fn from(error: WorktreeAddError) -> Self {
        match error {
            WorktreeAddError::Git(error) => error.into(),
            other => Self::workspace(other.to_string()),
        }
    }
}

impl From<WorktreeVerifyError> for EffectError {
    fn from(error: WorktreeVerifyError) -> Self {
        match error {
            WorktreeVerifyError::Git(error) => error.into(),
            WorktreeVerifyError::Corrupt(corruption) => Self::NeedsPerson {
                trouble: AnnotationType::WorkspaceCorrupted,
                message: format!(
                    "the workspace is not what Forge made: {corruption}; look at it, then reset it"
                ),
                details: serde_json::json!({ "found": corruption.to_string() }),
            },
        }
    }
}

impl From<SurvivorsError> for EffectError {
    fn from(error: SurvivorsError) -> Self {
        Self::transient(error)
    }
}

impl From<PlannedFault> for EffectError {
    fn from(fault: PlannedFault) -> Self {
        Self::transient(fault)
    }
}

impl From<std::io::Error> for EffectError {
    fn from(error: std::io::Error) -> Self {
        Self::transient(error)
    }
}
