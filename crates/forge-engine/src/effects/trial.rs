//! Checks on what a landing would give, in a worktree that is nobody's (M-6).

use super::Failure;
use super::land::Landing;
use super::perform::Step;
use crate::train::LandingChecks;
use forge_domain::{CheckOutcome, CheckResult};
use forge_git::{DirectoryName, ObjectId, Trial};
use tokio_util::sync::CancellationToken;

impl Step<'_> {
    /// The results of the checks on a commit; nothing if they were stopped before they had any.
    pub(super) async fn try_out(
        &self,
        landing: &Landing,
        commit: &ObjectId,
        checks: &LandingChecks,
        stop: &CancellationToken,
    ) -> Result<Option<Vec<CheckResult>>, Failure> {
        let Some(_slot) = self.slot(stop).await else { return Ok(None) };
        let inner = &self.engine.0;
        let hold = self.hold(&DirectoryName::trial(landing.mark)).await?;
        let pool = self.engine.pool_of(&landing.repo, &self.project)?;
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
                // What it had written is in the trash, and its room may be all that is missing.
                self.engine.tend_trash();
                return Err(error.into());
            }
        };
        self.reach("trial.opened").await?;
        let checked = self.check_trial(landing, &trial, commit, checks, stop).await;
        trial.close(&inner.repo_locks, pool.as_ref()).await?;
        match &pool {
            Some(_) => self.engine.tend_pool(self.task.repo_id),
            None => self.engine.tend_trash(),
        }
        self.reach("trial.closed").await?;
        Ok(checked?.filter(|_| !stop.is_cancelled()))
    }

    async fn check_trial(
        &self,
        landing: &Landing,
        trial: &Trial,
        commit: &ObjectId,
        checks: &LandingChecks,
        stop: &CancellationToken,
    ) -> Result<Option<Vec<CheckResult>>, Failure> {
        let log = self.engine.0.home.log(landing.mark.uuid());
        tokio::fs::write(&log, "").await?;
        if let Some(list) = trial.include_list(commit).await.map_err(super::setup::not_included)? {
            let stopped = stop.clone();
            let included = trial.include(&list, move || stopped.is_cancelled()).await;
            if included.map_err(super::setup::not_included)?.stopped {
                return Ok(None);
            }
        }
        let surroundings = self.surroundings(trial.path(), Some(trial.label())).await?;
        let (setup, mark) = (self.setup()?, landing.mark);
        if !self.run_commands(mark, &setup, &surroundings, &log, stop).await? {
            return Ok(None);
        }
        let ready = self.all(&checks.config.setup_steps, mark, &surroundings, stop).await?;
        if let Some(broken) = ready.iter().find(|step| !step.has_passed()) {
            if stop.is_cancelled() {
                return Ok(None);
            }
            return Err(Failure::Passing(format!(
                "a setup step failed on the merged tree: {}",
                broken.describe()
            )));
        }
        let distrusted =
            self.engine.quarantined(self.engine.repo_row(&self.task).await?.id).await?;
        let mut results = Vec::new();
        for step in &checks.config.ci_steps {
            let step = std::slice::from_ref(step);
            for mut result in self.all(step, mark, &surroundings, stop).await? {
                let blamed = !distrusted.contains(&result.command);
                if !result.has_held() && result.outcome != CheckOutcome::Stopped && !blamed {
                    result.outcome = CheckOutcome::Quarantined;
                }
                results.push(result);
            }
            if !results.iter().all(CheckResult::has_passed) {
                break;
            }
        }
        self.reach("trial.ran").await?;
        Ok(Some(results))
    }
}
