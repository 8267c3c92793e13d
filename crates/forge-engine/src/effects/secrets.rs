//! What must not be shown of what checks and setups print: the values that agents of the task know, and their own.

use super::Failure;
use super::perform::Step;
use super::surroundings::Surroundings;
use forge_agent::{Executor, Redactor, secret_values};
use forge_domain::Assignee;
use forge_store::tables;
use std::ffi::OsString;

impl Step<'_> {
    /// The secrets of this task, by their values.
    pub(super) async fn secrets(
        &self,
        surroundings: &Surroundings,
    ) -> Result<Vec<String>, Failure> {
        let mut secrets = secret_values(&surroundings.variables);
        let last = self.task.last_run.as_ref().map(|run| run.assignee);
        let handed = self.task.handoffs.iter().filter_map(|handoff| handoff.from);
        let holders = self.task.roles.values().copied().chain(last).chain(handed);
        let mut agents: Vec<_> = holders.filter_map(|holder: Assignee| holder.agent()).collect();
        agents.sort_unstable();
        agents.dedup();
        for id in agents {
            let Some(agent) = tables::agents::load(self.engine.db(), id).await? else { continue };
            let Ok(executor) = Executor::from_json(&agent.executor) else { continue };
            let own: Vec<(OsString, OsString)> =
                executor.environment().map(|(name, value)| (name.into(), value.into())).collect();
            secrets.extend(secret_values(&own));
        }
        Ok(secrets)
    }
}

/// A text without them.
pub(super) fn without(secrets: &[String], text: &str) -> String {
    Redactor::new(secrets).redact(text)
}
