//! Statistics of each check: whether it is reliable (M-12).

use crate::command::errors::EngineError;
use crate::engine::Engine;
use forge_domain::{CheckResult, RepoId, Timestamp};
use forge_store::tables::check_ledger::{self, CheckRunOutcome};
use std::collections::BTreeSet;

pub use forge_store::tables::check_ledger::CheckLedgerRow;

impl Engine {
    /// The checks of a repository, least reliable first.
    pub async fn check_records(&self, repo: RepoId) -> Result<Vec<CheckLedgerRow>, EngineError> {
        Ok(check_ledger::list(self.db(), repo).await?)
    }

    /// Ignores failures of this check until the given time; `None` ends it.
    pub async fn quarantine_check(
        &self,
        repo: RepoId,
        command: String,
        until: Option<Timestamp>,
    ) -> Result<(), EngineError> {
        let write = self.db().write(move |tx| {
            let command = command.clone();
            Box::pin(async move { check_ledger::quarantine(tx, repo, &command, until).await })
        });
        write.await?;
        self.replan_trains();
        Ok(())
    }

    /// The checks whose failures are ignored now.
    pub(crate) async fn load_quarantined_checks(
        &self,
        repo: RepoId,
    ) -> Result<BTreeSet<String>, EngineError> {
        let now = self.now();
        let records = self.check_records(repo).await?.into_iter();
        let still = records.filter(|one| one.quarantined_until.is_some_and(|until| until > now));
        Ok(still.map(|record| record.command).collect())
    }

    /// Records the check results of a trial; `failed` lists those that failed on the same tree before.
    pub(crate) async fn record_check_runs(
        &self,
        repo: RepoId,
        results: &[CheckResult],
        failed: &BTreeSet<String>,
    ) -> Result<(), EngineError> {
        let now = self.now();
        let ran = |result: &CheckResult| match result.is_passed() {
            false => CheckRunOutcome::Failed,
            true if failed.contains(&result.command) => CheckRunOutcome::Flipped,
            true => CheckRunOutcome::Passed,
        };
        let runs: Vec<(String, CheckRunOutcome)> =
            results.iter().map(|result| (result.command.clone(), ran(result))).collect();
        let write = self.db().write(move |tx| {
            let runs = runs.clone();
            Box::pin(async move {
                for (command, ran) in runs {
                    check_ledger::record_run(tx, repo, &command, ran, now).await?;
                }
                Ok::<_, EngineError>(())
            })
        });
        write.await
    }
}
