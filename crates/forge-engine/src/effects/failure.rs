//! How an effect can end without having done its work.

use crate::errors::EngineError;
use crate::faults::PlannedFault;
use forge_domain::Report;
use forge_domain::task::AnnotationType;
use forge_git::{
    AddError, Corruption, EscapeError, GitError, HoldError, MoveError, OpenError, VerifyError,
};
use forge_proc::StillAlive;
use forge_store::StoreError;

/// How an effect ended.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It is over; this is what there is to say.
    Report(Report),
    /// It did not work yet; this is worth saying, and it is tried again.
    TryAgain {
        /// What to say.
        report: Report,
        /// Why.
        error: String,
        /// The longest time to wait before the next try.
        patience_seconds: u64,
    },
}

/// Why an effect did not end.
#[derive(Debug)]
pub(crate) enum Failure {
    /// May work next time.
    Passing(String),
    /// Will not work until a person has done something.
    Final {
        /// Which trouble.
        trouble: AnnotationType,
        /// Why, and what to do.
        message: String,
        /// Evidence.
        details: serde_json::Value,
    },
    /// Did not work yet; this is worth saying, and it is tried again for as long as it takes.
    Waits {
        /// What to say.
        report: Box<Report>,
        /// Why.
        error: String,
        /// The longest time to wait before the next try.
        patience_seconds: u64,
    },
    /// The step is not ours to end: another worker has it, or the next server will.
    Overtaken,
}

impl Failure {
    /// A trouble with the workspace that a person has to look at.
    pub(crate) fn workspace(message: impl Into<String>) -> Self {
        Self::of(AnnotationType::WorkspaceError, message)
    }

    /// What it says.
    pub(crate) fn into_message(self) -> String {
        match self {
            Self::Passing(error)
            | Self::Final { message: error, .. }
            | Self::Waits { error, .. } => error,
            Self::Overtaken => "another worker has it".to_owned(),
        }
    }

    /// A trouble without further evidence.
    pub(crate) fn of(trouble: AnnotationType, message: impl Into<String>) -> Self {
        Self::Final { trouble, message: message.into(), details: serde_json::Value::Null }
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::StaleLease => Self::Overtaken,
            EngineError::NotFound { .. } => Self::of(AnnotationType::StepFailed, error.to_string()),
            other => Self::Passing(other.to_string()),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Passing(error.to_string())
    }
}

impl From<GitError> for Failure {
    fn from(error: GitError) -> Self {
        match error {
            GitError::NotCommittable { .. } => Self::workspace(error.to_string()),
            GitError::Escaped(EscapeError::NotADirectory(path)) => {
                VerifyError::from(Corruption::NotADirectory(path)).into()
            }
            other => Self::Passing(other.to_string()),
        }
    }
}

impl From<HoldError> for Failure {
    fn from(error: HoldError) -> Self {
        Self::Passing(error.to_string())
    }
}

impl From<MoveError> for Failure {
    fn from(error: MoveError) -> Self {
        Self::Passing(error.to_string())
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        Self::workspace(format!("the repository cannot be used: {error}"))
    }
}

impl From<AddError> for Failure {
    fn from(error: AddError) -> Self {
        match error {
            AddError::Git(error) => error.into(),
            other => Self::workspace(other.to_string()),
        }
    }
}

impl From<VerifyError> for Failure {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::Git(error) => error.into(),
            VerifyError::Corrupt(corruption) => Self::Final {
                trouble: AnnotationType::WorkspaceCorrupted,
                message: format!(
                    "the workspace is not what Forge made: {corruption}; look at it, then reset it"
                ),
                details: serde_json::json!({ "found": corruption.to_string() }),
            },
        }
    }
}

impl From<StillAlive> for Failure {
    fn from(error: StillAlive) -> Self {
        Self::Passing(error.to_string())
    }
}

impl From<PlannedFault> for Failure {
    fn from(fault: PlannedFault) -> Self {
        Self::Passing(fault.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Passing(error.to_string())
    }
}
