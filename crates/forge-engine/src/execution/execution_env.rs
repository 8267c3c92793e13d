//! Working directory and environment of the programs that Forge starts (E-3, W-13).

use crate::admin::ProjectSetup;
use crate::effects::EffectError;
use crate::effects::effect_run::EffectRun;
use forge_domain::ExecutionId;
use forge_domain::task::AnnotationType;
use forge_git::{BranchName, Worktree};
use forge_proc::ProgramInvocation;
use forge_store::tables;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A directory, and the variables of every program in it.
#[derive(Debug, Clone)]
pub(crate) struct ExecutionEnv {
    pub(crate) directory: PathBuf,
    pub(crate) variables: Vec<(OsString, OsString)>,
}

impl ExecutionEnv {
    /// A shell command of the project; no outside text is inserted.
    pub(crate) fn shell(&self, line: &str) -> ProgramInvocation {
        ProgramInvocation::new("sh", &self.directory)
            .args(["-c", line])
            .envs(self.variables.iter().cloned())
    }

    /// Adds one variable.
    pub(crate) fn with_variable(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }
}

impl EffectRun<'_> {
    /// The project's setup from its current settings.
    pub(crate) fn setup(&self) -> Result<ProjectSetup, EffectError> {
        ProjectSetup::of(&self.project.settings).map_err(|error| {
            EffectError::for_person(AnnotationType::SetupFailed, error.to_string())
        })
    }

    /// The environment in a worktree.
    pub(crate) async fn build_worktree_env(
        &self,
        worktree: &Worktree,
    ) -> Result<ExecutionEnv, EffectError> {
        self.build_env(worktree.path(), Some(worktree.branch())).await
    }

    /// The environment in a directory, with a branch if there is one. Forge's own variables come last, so that no
    /// setting can replace them.
    pub(crate) async fn build_env(
        &self,
        directory: &Path,
        branch: Option<&BranchName>,
    ) -> Result<ExecutionEnv, EffectError> {
        let setup = self.setup()?;
        let ports = tables::ports::of_task(self.engine.db(), self.workspace_owner).await?;
        let ports = ports.into_iter().filter(|lease| lease.slot < setup.ports);
        let ports =
            ports.map(|lease| (format!("FORGE_PORT_{}", lease.slot), lease.port.to_string()));
        let task = ("FORGE_TASK_ID".to_owned(), self.task.id.to_string());
        let branch = branch.map(|branch| ("FORGE_BRANCH".to_owned(), branch.to_string()));
        let all = setup.env.into_iter().chain(ports).chain([task]).chain(branch);
        let all = all.map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let variables = self.engine.0.environment.vars().chain(all).collect();
        Ok(ExecutionEnv { directory: directory.to_owned(), variables })
    }

    /// Adds the variables that only agents get.
    pub(crate) fn add_agent_variables(
        &self,
        all: ExecutionEnv,
        execution: ExecutionId,
    ) -> ExecutionEnv {
        let all = all.with_variable("FORGE_EXECUTION_ID", execution.to_string());
        match &self.engine.0.limits.url {
            Some(url) => all.with_variable("FORGE_URL", url),
            None => all,
        }
    }
}
