//! Runs checks on a trial merge, in a temporary worktree (M-6).

use crate::effects::EffectError;
use crate::effects::effect_run::EffectRun;
use crate::landing::land::LandingContext;
use crate::landing::train::LandingChecks;
use forge_domain::{CheckOutcome, CheckResult};
use forge_git::{DirectoryName, ObjectId, TrialWorktree};
use tokio_util::sync::CancellationToken;

impl EffectRun<'_> {
    /// The check results of a commit; `None` if stopped before there were any.
    pub(crate) async fn run_trial(
        &self,
        landing: &LandingContext,
        commit: &ObjectId,
        checks: &LandingChecks,
        stop: &CancellationToken,
    ) -> Result<Option<Vec<CheckResult>>, EffectError> {
        let Some(_slot) = self.acquire_check_slot(stop).await else { return Ok(None) };
        let inner = &self.engine.0;
        let hold = self.lock_workspace(&DirectoryName::trial(landing.process_owner)).await?;
        let pool = self.engine.open_pool(&landing.repo, &self.project)?;
        let opened = landing.repo.open_trial(
            &inner.repo_locks,
            &hold,
            pool.as_ref(),
            commit,
            &landing.branch,
        );
        let trial = match opened.await {
            Ok(trial) => trial,
            Err(error) => {
                // Its files are in the trash; deleting them may free the space that was missing.
                self.engine.start_emptying_trash();
                return Err(error.into());
            }
        };
        self.pass_fault_point("trial.opened").await?;
        let checked = self.check_trial(landing, &trial, commit, checks, stop).await;
        trial.close(&inner.repo_locks, pool.as_ref()).await?;
        match &pool {
            Some(_) => self.engine.maintain_pool(self.task.repo_id),
            None => self.engine.start_emptying_trash(),
        }
        self.pass_fault_point("trial.closed").await?;
        Ok(checked?.filter(|_| !stop.is_cancelled()))
    }

    async fn check_trial(
        &self,
        landing: &LandingContext,
        trial: &TrialWorktree,
        commit: &ObjectId,
        checks: &LandingChecks,
        stop: &CancellationToken,
    ) -> Result<Option<Vec<CheckResult>>, EffectError> {
        let log = self.engine.0.home.log(landing.process_owner.uuid());
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
        let surroundings = self.build_env(trial.path(), Some(trial.label())).await?;
        let (setup, mark) = (self.setup()?, landing.process_owner);
        if !self.run_commands(mark, &setup, &surroundings, &log, stop).await? {
            return Ok(None);
        }
        let ready =
            self.run_all_checks(&checks.config.setup_steps, mark, &surroundings, stop).await?;
        if let Some(broken) = ready.iter().find(|step| !step.is_accepted()) {
            if stop.is_cancelled() {
                return Ok(None);
            }
            return Err(EffectError::Transient(format!(
                "a setup step failed on the merged tree: {}",
                broken.describe()
            )));
        }
        let distrusted = self
            .engine
            .load_quarantined_checks(self.engine.load_repo_row(&self.task).await?.id)
            .await?;
        let mut results = Vec::new();
        for step in &checks.config.ci_steps {
            let step = std::slice::from_ref(step);
            for mut result in self.run_all_checks(step, mark, &surroundings, stop).await? {
                let blamed = !distrusted.contains(&result.command);
                if !result.is_passed() && result.outcome != CheckOutcome::Stopped && !blamed {
                    result.outcome = CheckOutcome::Quarantined;
                }
                results.push(result);
            }
            if !results.iter().all(CheckResult::is_accepted) {
                break;
            }
        }
        self.pass_fault_point("trial.ran").await?;
        Ok(Some(results))
    }
}
