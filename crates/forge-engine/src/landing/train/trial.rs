//! Runs checks on a trial merge, in a temporary worktree (M-6).

use crate::effects::{EffectContext, EffectError};
use crate::execution::execution_env::ExecutionEnvs;
use crate::gate::check_ledger::CheckLedger;
use crate::gate::check_runner::CheckRunner;
use crate::landing::land::LandingContext;
use crate::landing::train::LandingChecks;
use crate::nodes::data_directory::DataDirectory;
use crate::workspace::pool::maintain::WorktreePools;
use crate::workspace::setup_effect::WorkspaceSetup;
use crate::workspace::workspaces::Workspaces;
use forge_domain::{CheckOutcome, CheckResult};
use forge_git::{DirectoryName, ObjectId, RepoLocks, TrialWorktree};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Runs checks on trial merges.
#[derive(Debug, Clone)]
pub(crate) struct TrialRunner {
    pub(crate) repo_locks: RepoLocks,
    pub(crate) home: Arc<DataDirectory>,
    pub(crate) check_ledger: CheckLedger,
    pub(crate) check_runner: CheckRunner,
    pub(crate) envs: ExecutionEnvs,
    pub(crate) pools: WorktreePools,
    pub(crate) setup: WorkspaceSetup,
    pub(crate) workspaces: Workspaces,
}

impl TrialRunner {
    /// The check results of a commit; `None` if stopped before there were any.
    pub(crate) async fn run_trial(
        &self,
        effect: &EffectContext,
        landing: &LandingContext,
        commit: &ObjectId,
        checks: &LandingChecks,
        stop: &CancellationToken,
    ) -> Result<Option<Vec<CheckResult>>, EffectError> {
        let Some(_slot) = self.check_runner.acquire_check_slot(stop).await else {
            return Ok(None);
        };
        let hold = self
            .workspaces
            .lock_workspace(effect, &DirectoryName::trial(landing.process_owner))
            .await?;
        let pool = self.pools.open_pool(&landing.repo, &effect.project)?;
        let opened = landing.repo.open_trial(
            &self.repo_locks,
            &hold,
            pool.as_ref(),
            commit,
            &landing.branch,
        );
        let trial = match opened.await {
            Ok(trial) => trial,
            Err(error) => {
                // Its files are in the trash; deleting them may free the space that was missing.
                self.pools.start_emptying_trash();
                return Err(error.into());
            }
        };
        effect.pass_fault_point("trial.opened").await?;
        let checked = self.check_trial(effect, landing, &trial, commit, checks, stop).await;
        trial.close(&self.repo_locks, pool.as_ref()).await?;
        match &pool {
            Some(_) => self.pools.maintain_pool(effect.task.repo_id),
            None => self.pools.start_emptying_trash(),
        }
        effect.pass_fault_point("trial.closed").await?;
        Ok(checked?.filter(|_| !stop.is_cancelled()))
    }

    async fn check_trial(
        &self,
        effect: &EffectContext,
        landing: &LandingContext,
        trial: &TrialWorktree,
        commit: &ObjectId,
        checks: &LandingChecks,
        stop: &CancellationToken,
    ) -> Result<Option<Vec<CheckResult>>, EffectError> {
        let log = self.home.log(landing.process_owner.uuid());
        tokio::fs::write(&log, "").await?;
        if let Some(list) = trial
            .include_list(commit)
            .await
            .map_err(crate::workspace::setup_effect::include_failed)?
        {
            let stopped = stop.clone();
            let included = trial.include(&list, move || stopped.is_cancelled()).await;
            if included.map_err(crate::workspace::setup_effect::include_failed)?.stopped {
                return Ok(None);
            }
        }
        let env = self.envs.build_env(effect, trial.path(), Some(trial.label())).await?;
        let (setup, mark) = (effect.setup()?, landing.process_owner);
        if !self.setup.run_commands(effect, mark, setup, &env, &log, stop).await? {
            return Ok(None);
        }
        let ready = self
            .check_runner
            .run_all_checks(effect, &checks.config.setup_steps, mark, &env, stop)
            .await?;
        if let Some(broken) = ready.iter().find(|step| !step.is_accepted()) {
            if stop.is_cancelled() {
                return Ok(None);
            }
            return Err(EffectError::transient(format!(
                "a setup step failed on the merged tree: {}",
                broken.describe()
            )));
        }
        let quarantined = self.check_ledger.load_quarantined_checks(effect.repo_row()?.id).await?;
        let mut results = Vec::new();
        for step in &checks.config.ci_steps {
            let step = std::slice::from_ref(step);
            for mut result in
                self.check_runner.run_all_checks(effect, step, mark, &env, stop).await?
            {
                let blamed = !quarantined.contains(&result.command);
                if !result.is_passed() && result.outcome != CheckOutcome::Stopped && !blamed {
                    result.outcome = CheckOutcome::Quarantined;
                }
                results.push(result);
            }
            if !results.iter().all(CheckResult::is_accepted) {
                break;
            }
        }
        effect.pass_fault_point("trial.ran").await?;
        Ok(Some(results))
    }
}
