//! Secrets to redact from the output of checks and setups: values known to the task's agents, and the programs' own
//! variables.

use crate::effects::{EffectContext, EffectError};
use crate::execution::execution_env::{ExecutionEnv, ExecutionEnvs};
use forge_agent::{ExecutorConfig, SecretRedactor, secret_values};
use forge_domain::Assignee;
use forge_store::tables;
use std::ffi::OsString;

impl ExecutionEnvs {
    /// The secret values of this task.
    pub(crate) async fn load_secrets(
        &self,
        effect: &EffectContext,
        env: &ExecutionEnv,
    ) -> Result<Vec<String>, EffectError> {
        let mut secrets = secret_values(&env.variables);
        let last = effect.task.last_run.as_ref().map(|run| run.assignee);
        let handed = effect.task.handoffs.iter().filter_map(|handoff| handoff.from);
        let holders = effect.task.roles.values().copied().chain(last).chain(handed);
        let mut agents: Vec<_> = holders.filter_map(|holder: Assignee| holder.agent()).collect();
        agents.sort_unstable();
        agents.dedup();
        for id in agents {
            let Some(agent) = tables::agents::load(&self.db, id).await? else { continue };
            let Ok(executor) = ExecutorConfig::from_json(&agent.executor) else { continue };
            let own: Vec<(OsString, OsString)> =
                executor.environment().map(|(name, value)| (name.into(), value.into())).collect();
            secrets.extend(secret_values(&own));
            let passed = self.environment.passed_variables(executor.passed_variables());
            secrets.extend(secret_values(&passed));
        }
        Ok(secrets)
    }
}

/// The text with secrets redacted.
pub(crate) fn redact(secrets: &[String], text: &str) -> String {
    SecretRedactor::new(secrets).redact(text)
}
