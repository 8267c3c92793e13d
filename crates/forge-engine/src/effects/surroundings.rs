//! What a program that Forge starts in a worktree finds in its environment (E-3, W-13).

use super::Failure;
use super::perform::Step;
use crate::registry::Setup;
use forge_domain::task::{AnnotationType, Run};
use forge_git::Worktree;
use forge_store::tables;
use std::ffi::OsString;

impl Step<'_> {
    /// The project's setup, as its settings are now.
    pub(super) async fn setup(&self) -> Result<Setup, Failure> {
        let project = tables::projects::load(self.engine.db(), self.task.project_id).await?;
        let settings = project.map(|project| project.settings).unwrap_or_default();
        Setup::of(&settings)
            .map_err(|error| Failure::of(AnnotationType::SetupFailed, error.to_string()))
    }

    /// What every program in the worktree gets. Forge's own names come last: no setting can replace them.
    pub(super) async fn surroundings(
        &self,
        worktree: &Worktree,
    ) -> Result<Vec<(OsString, OsString)>, Failure> {
        let setup = self.setup().await?;
        let ports = tables::ports::of_task(self.engine.db(), self.task.id).await?;
        let ports = ports.into_iter().filter(|lease| lease.slot < setup.ports);
        let ports =
            ports.map(|lease| (format!("FORGE_PORT_{}", lease.slot), lease.port.to_string()));
        let own = [
            ("FORGE_TASK_ID".to_owned(), self.task.id.to_string()),
            ("FORGE_BRANCH".to_owned(), worktree.branch().to_string()),
        ];
        let all = setup.env.into_iter().chain(ports).chain(own);
        let all = all.map(|(name, value)| (OsString::from(name), OsString::from(value)));
        Ok(self.engine.0.environment.vars().chain(all).collect())
    }

    /// What an agent gets.
    pub(super) async fn environment(
        &self,
        run: &Run,
        worktree: &Worktree,
    ) -> Result<Vec<(OsString, OsString)>, Failure> {
        let mut all = self.surroundings(worktree).await?;
        all.push(("FORGE_EXECUTION_ID".into(), run.execution.to_string().into()));
        all.extend(self.engine.0.limits.url.clone().map(|url| ("FORGE_URL".into(), url.into())));
        Ok(all)
    }
}
