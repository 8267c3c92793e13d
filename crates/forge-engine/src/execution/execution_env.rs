//! Working directory and environment of the programs that Forge starts (E-3, W-13).

use crate::effects::{EffectContext, EffectError};
use crate::execution::server_environment::ServerEnvironment;
use forge_domain::ExecutionId;
use forge_git::{BranchName, Worktree};
use forge_proc::ProgramInvocation;
use forge_store::{Db, tables};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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

/// Builds the environments of programs, and knows the secrets in them.
#[derive(Debug, Clone)]
pub(crate) struct ExecutionEnvs {
    pub(crate) db: Db,
    pub(crate) environment: Arc<ServerEnvironment>,
    pub(crate) url: Option<String>,
}

impl ExecutionEnvs {
    /// The environment in a worktree.
    pub(crate) async fn build_worktree_env(
        &self,
        effect: &EffectContext,
        worktree: &Worktree,
    ) -> Result<ExecutionEnv, EffectError> {
        self.build_env(effect, worktree.path(), Some(worktree.branch())).await
    }

    /// The environment in a directory, with a branch if there is one. Forge's own variables come last, so that no
    /// setting can replace them.
    pub(crate) async fn build_env(
        &self,
        effect: &EffectContext,
        directory: &Path,
        branch: Option<&BranchName>,
    ) -> Result<ExecutionEnv, EffectError> {
        let setup = effect.setup()?;
        let ports = tables::ports::of_task(&self.db, effect.workspace_owner).await?;
        let ports = ports.into_iter().filter(|lease| lease.slot < setup.ports);
        let ports =
            ports.map(|lease| (format!("FORGE_PORT_{}", lease.slot), lease.port.to_string()));
        let task = ("FORGE_TASK_ID".to_owned(), effect.task.id.to_string());
        let branch = branch.map(|branch| ("FORGE_BRANCH".to_owned(), branch.to_string()));
        let all = setup.env.clone().into_iter().chain(ports).chain([task]).chain(branch);
        let all = all.map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let variables = self.environment.vars().chain(all).collect();
        Ok(ExecutionEnv { directory: directory.to_owned(), variables })
    }

    /// Adds the variables that only agents get.
    pub(crate) fn add_agent_variables(
        &self,
        all: ExecutionEnv,
        execution: ExecutionId,
    ) -> ExecutionEnv {
        let all = all.with_variable("FORGE_EXECUTION_ID", execution.to_string());
        match &self.url {
            Some(url) => all.with_variable("FORGE_URL", url),
            None => all,
        }
    }
}
