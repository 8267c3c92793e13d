//! Errors of the engine.

use crate::effects::faults::PlannedFault;
use crate::nodes::data_directory::DataDirectoryError;
use forge_domain::Refusal;
use forge_domain::project::InvalidSettingsError;
use forge_domain::task::TaskKey;
use forge_domain::workflow::InvalidWorkflowError;
use forge_store::StoreError;
use forge_store::tables::agents::OpenExecution;
use std::path::PathBuf;

/// Why a command or query failed. Nothing has changed.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The domain rules refuse the command.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The object does not exist.
    #[error(
        "there is no {noun} {id}; it may have been removed, or the id belongs to something else"
    )]
    NotFound {
        /// The kind of object.
        noun: &'static str,
        /// The id or name that was looked up.
        id: String,
    },
    /// The name is taken.
    #[error(
        "there is already {} {noun} with the {field} \"{value}\"; choose another",
        article(noun)
    )]
    Duplicate {
        /// The kind of object.
        noun: &'static str,
        /// The field that must be unique.
        field: &'static str,
        value: String,
    },
    /// The workflow is invalid.
    #[error(transparent)]
    InvalidWorkflow(#[from] InvalidWorkflowError),
    /// Tasks still use the repository that should be removed.
    #[error(
        "the repository {name} is still used by {}{}; finish or cancel them and let their workspaces go (forge workspace clean), then remove it",
        listed(tasks), if *more { " and others" } else { "" }
    )]
    RepoInUse {
        name: String,
        /// The tasks, oldest first.
        tasks: Vec<TaskKey>,
        /// Whether there are more tasks than listed.
        more: bool,
    },
    /// Executions of the agent that should be removed are open.
    #[error(
        "the agent {name} is at work on {}{}; stop it (forge task stop) or wait for its end, then remove it",
        listed_executions(executions), if *more { " and others" } else { "" }
    )]
    AgentInUse {
        name: String,
        /// The executions, oldest first.
        executions: Vec<OpenExecution>,
        /// Whether there are more executions than listed.
        more: bool,
    },
    /// Tasks of the project that should be removed are open, or have a workspace.
    #[error(
        "the project {name} still has work in {}{}; finish or cancel these tasks and let their workspaces go (forge workspace clean), then remove it",
        listed(tasks), if *more { " and others" } else { "" }
    )]
    ProjectInUse {
        name: String,
        /// The tasks, oldest first.
        tasks: Vec<TaskKey>,
        /// Whether there are more tasks than listed.
        more: bool,
    },
    #[error("{0}")]
    RepoUnusable(String),
    /// Several branches could be the default branch.
    #[error(
        "the repository has several branches and it is not clear which one work lands on; name one of: {}",
        candidates.join(", ")
    )]
    DefaultBranchUnclear { candidates: Vec<String> },
    /// The directory belongs to Forge or to another project (S-6).
    #[error("{} cannot be used: {reason}; choose another directory", path.display())]
    PathNotAllowed {
        /// The requested directory.
        path: PathBuf,
        reason: &'static str,
    },
    /// The URL resolves to a private host (S-6).
    #[error(
        "{host} has a private, loopback or link-local address, which repositories and webhooks may not have; an admin can allow it \
         with --private-hosts {host} (FORGE_PRIVATE_HOSTS)"
    )]
    AddressNotAllowed { host: String },
    /// The secret of a webhook cannot be made, stored or read.
    #[error("the secret of the webhook cannot be used: {0}")]
    Webhook(String),
    /// A field has an invalid value.
    #[error("{field}: {problem}")]
    InvalidField {
        field: &'static str,
        /// What is wrong, and what would be valid.
        problem: String,
    },
    /// Settings of the project are invalid, or a stored one cannot be read.
    #[error(transparent)]
    InvalidSettings(#[from] InvalidSettingsError),
    /// An agent's program is not installed on the server.
    #[error(
        "the program {program:?} is not on the server, or not on the PATH that its agents get; install it there, or give its full path"
    )]
    ProgramMissing {
        /// The program as the agent's settings name it.
        program: String,
    },
    /// The agent's program cannot apply an override of the claim (T-3).
    #[error("the claim cannot override this: {problem}")]
    OverrideUnsupported {
        field: &'static str,
        /// The overrides that the program can apply.
        supported: Vec<&'static str>,
        problem: String,
    },
    /// Another node leased this effect; the report is dropped.
    #[error("another node took over this effect; nothing was recorded")]
    StaleLease,
    /// The task's workspace cannot be read.
    #[error("the workspace cannot be used: {0}")]
    Workspace(String),
    /// The project works in one directory without git (W-1).
    #[error(
        "the project works in one plain directory without git, so there is nothing to compare, reset or remove; look at the files themselves"
    )]
    NotAGitWorkspace,
    /// The repository cannot have pull requests (M-16).
    #[error(
        "what lands in {repo} is not pushed to GitHub, so there are no pull requests; push it there (github_url names the host), or leave settings.merge.mode at direct"
    )]
    PullRequestUnavailable { repo: String },
    /// Another process holds the workspace lock (W-4).
    #[error("{message}")]
    WorkspaceLocked {
        /// Who holds it, and what to do.
        message: String,
        /// The holder for programs; `None` if unknown.
        holder: Option<Box<forge_git::LockHolder>>,
    },
    /// Stored data cannot be read.
    #[error("stored data cannot be read: {0}; restore the database from a backup")]
    Corrupt(String),
    /// The database returned an error.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A fault planned by a test.
    #[error(transparent)]
    Planned(#[from] PlannedFault),
}

/// Why the engine did not start.
#[derive(Debug, thiserror::Error)]
pub enum EngineStartError {
    /// The data directory is unusable.
    #[error(transparent)]
    Home(#[from] DataDirectoryError),
    /// The database is unusable.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The workspace root is unusable.
    #[error("the workspace root cannot be used: {0}")]
    WorkspaceRoot(String),
    /// Recovery of the last run failed.
    #[error("recovery after the last run failed: {0}")]
    Recovery(#[from] EngineError),
}

/// The article: `a project`, `an agent`.
fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

fn listed_executions(executions: &[OpenExecution]) -> String {
    let name = |one: &OpenExecution| format!("{} of {}", one.task, one.project);
    executions.iter().map(name).collect::<Vec<_>>().join(", ")
}

fn listed(tasks: &[TaskKey]) -> String {
    tasks.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
