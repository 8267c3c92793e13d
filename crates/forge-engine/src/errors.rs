//! What the engine can answer instead of doing what was asked.

use crate::faults::PlannedFault;
use crate::home::HomeError;
use forge_domain::Refusal;
use forge_domain::task::TaskKey;
use forge_domain::workflow::Invalid;
use forge_store::StoreError;

/// Why a command or query did not happen. Nothing has changed.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The rules say no.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// There is no such thing.
    #[error(
        "there is no {noun} {id}; it may have been removed, or the id belongs to something else"
    )]
    NotFound {
        /// What was looked for.
        noun: &'static str,
        /// By which id or name.
        id: String,
    },
    /// The name is taken.
    #[error("there is already a {noun} with the {field} \"{value}\"; choose another")]
    Duplicate {
        /// What was to be made.
        noun: &'static str,
        /// Which field must be unique.
        field: &'static str,
        /// Its value.
        value: String,
    },
    /// The workflow is not sound.
    #[error(transparent)]
    InvalidWorkflow(#[from] Invalid),
    /// Tasks need the repository that was to be removed.
    #[error(
        "the repository {name} is still used by {}{}; finish or cancel them and let their workspaces go (forge workspace clean), then remove it",
        listed(tasks), if *more { " and others" } else { "" }
    )]
    RepoInUse {
        /// The repository.
        name: String,
        /// The tasks, the oldest first.
        tasks: Vec<TaskKey>,
        /// Whether there are more than these.
        more: bool,
    },
    /// The repository cannot be used.
    #[error("{0}")]
    RepoUnusable(String),
    /// A value is out of range.
    #[error("{field}: {problem}")]
    InvalidField {
        /// Which.
        field: &'static str,
        /// What is wrong and what would be right.
        problem: String,
    },
    /// Somebody else has taken over this step; what was found out is dropped.
    #[error("another worker has taken this step over; nothing was recorded")]
    StaleLease,
    /// The task's workspace cannot be read.
    #[error("the workspace cannot be used: {0}")]
    Workspace(String),
    /// The project works in one directory without git (W-1).
    #[error(
        "the project works in one plain directory without git, so there is nothing to compare, reset or remove; look at the files themselves"
    )]
    NotAGitWorkspace,
    /// Pull requests are wanted where there are none (M-16).
    #[error(
        "what lands in {repo} is not pushed to GitHub, so there are no pull requests; push it there (github_url names the host), or leave settings.merge.mode at direct"
    )]
    PullRequestUnavailable {
        /// The repository's name.
        repo: String,
    },
    /// Somebody works in the task's workspace (W-4).
    #[error("{message}")]
    WorkspaceLocked {
        /// Who, and what to do.
        message: String,
        /// Who, for programs; none if they have not said so.
        holder: Option<Box<forge_git::Holder>>,
    },
    /// Stored data cannot be read.
    #[error("stored data cannot be read: {0}; restore the database from a backup")]
    Corrupt(String),
    /// The database said no.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A test asked for it.
    #[error(transparent)]
    Planned(#[from] PlannedFault),
}

/// Why the engine did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The data directory.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The workspace root.
    #[error("the workspace root cannot be used: {0}")]
    WorkspaceRoot(String),
    /// Recovery.
    #[error("recovery after the last run failed: {0}")]
    Recovery(#[from] EngineError),
}

fn listed(tasks: &[TaskKey]) -> String {
    tasks.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
