//! Where a program that Forge starts runs, and what it finds in its environment (E-3, W-13).

use super::Failure;
use super::perform::Step;
use crate::registry::Setup;
use forge_domain::ExecutionId;
use forge_domain::task::AnnotationType;
use forge_git::{BranchName, Worktree};
use forge_proc::Invocation;
use forge_store::tables;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A directory and the variables that every program in it gets.
#[derive(Debug, Clone)]
pub(super) struct Surroundings {
    pub(super) directory: PathBuf,
    pub(super) variables: Vec<(OsString, OsString)>,
}

impl Surroundings {
    /// A shell line of the project's own; nothing from outside is spliced into it.
    pub(super) fn shell(&self, line: &str) -> Invocation {
        Invocation::new("sh", &self.directory)
            .args(["-c", line])
            .envs(self.variables.iter().cloned())
    }

    /// The same with one more variable.
    pub(super) fn with(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }
}

impl Step<'_> {
    /// The project's setup, as its settings are now.
    pub(super) fn setup(&self) -> Result<Setup, Failure> {
        Setup::of(&self.project.settings)
            .map_err(|error| Failure::of(AnnotationType::SetupFailed, error.to_string()))
    }

    /// Those of a worktree.
    pub(super) async fn surroundings_in(
        &self,
        worktree: &Worktree,
    ) -> Result<Surroundings, Failure> {
        self.surroundings(worktree.path(), Some(worktree.branch())).await
    }

    /// Those of a directory, on a branch if there is one. Forge's own names come last: no setting can replace them.
    pub(super) async fn surroundings(
        &self,
        directory: &Path,
        branch: Option<&BranchName>,
    ) -> Result<Surroundings, Failure> {
        let setup = self.setup()?;
        let ports = tables::ports::of_task(self.engine.db(), self.place).await?;
        let ports = ports.into_iter().filter(|lease| lease.slot < setup.ports);
        let ports =
            ports.map(|lease| (format!("FORGE_PORT_{}", lease.slot), lease.port.to_string()));
        let task = ("FORGE_TASK_ID".to_owned(), self.task.id.to_string());
        let branch = branch.map(|branch| ("FORGE_BRANCH".to_owned(), branch.to_string()));
        let all = setup.env.into_iter().chain(ports).chain([task]).chain(branch);
        let all = all.map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let variables = self.engine.0.environment.vars().chain(all).collect();
        Ok(Surroundings { directory: directory.to_owned(), variables })
    }

    /// What an agent gets besides.
    pub(super) fn for_agent(&self, all: Surroundings, execution: ExecutionId) -> Surroundings {
        let all = all.with("FORGE_EXECUTION_ID", execution.to_string());
        match &self.engine.0.limits.url {
            Some(url) => all.with("FORGE_URL", url),
            None => all,
        }
    }
}
