//! Statistics of each check: whether it is reliable (M-12).

use crate::command::clock::Clock;
use crate::command::errors::EngineError;
use crate::command::lookup::require_found;
use crate::landing::train::MergeTrains;
use forge_domain::{CheckResult, ProjectId, RepoId, Timestamp};
use forge_store::tables::check_ledger::{self, CheckRunOutcome};
use forge_store::{Db, tables};
use std::collections::BTreeSet;
use std::sync::Arc;

pub use forge_store::tables::check_ledger::CheckLedgerRow;

const LONGEST_COMMAND: usize = 10_000;

/// The statistics of checks, and which of them are quarantined.
#[derive(Debug, Clone)]
pub struct CheckLedger {
    pub(crate) db: Db,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) trains: MergeTrains,
}

impl CheckLedger {
    /// The checks of a repository, least reliable first.
    pub async fn check_records(&self, repo: RepoId) -> Result<Vec<CheckLedgerRow>, EngineError> {
        Ok(check_ledger::list(&self.db, repo).await?)
    }

    /// Ignores failures of this check until the given time; `None` ends it.
    pub async fn quarantine_check(
        &self,
        repo: RepoId,
        command: String,
        until: Option<Timestamp>,
    ) -> Result<(), EngineError> {
        let write = self.db.write(move |tx| {
            let command = command.clone();
            Box::pin(async move { check_ledger::quarantine(tx, repo, &command, until).await })
        });
        write.await?;
        self.trains.replan_all();
        Ok(())
    }

    /// The checks whose failures are ignored now.
    pub(crate) async fn load_quarantined_checks(
        &self,
        repo: RepoId,
    ) -> Result<BTreeSet<String>, EngineError> {
        let now = self.clock.now();
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
        let now = self.clock.now();
        let ran = |result: &CheckResult| match result.is_passed() {
            false => CheckRunOutcome::Failed,
            true if failed.contains(&result.command) => CheckRunOutcome::Flipped,
            true => CheckRunOutcome::Passed,
        };
        let runs: Vec<(String, CheckRunOutcome)> =
            results.iter().map(|result| (result.command.clone(), ran(result))).collect();
        let write = self.db.write(move |tx| {
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

    /// The check statistics of a project's primary repository.
    pub async fn check_records_of(
        &self,
        id: ProjectId,
    ) -> Result<Vec<CheckLedgerRow>, EngineError> {
        self.check_records(self.primary_repo(id).await?).await
    }

    /// Ignores failures of a check for this many seconds; zero ends it.
    pub async fn quarantine_check_of(
        &self,
        id: ProjectId,
        command: String,
        seconds: u64,
    ) -> Result<(), EngineError> {
        if command.trim().is_empty() || command.len() > LONGEST_COMMAND {
            return Err(EngineError::InvalidField {
                field: "command",
                problem: "give the command as it is configured in the checks".to_owned(),
            });
        }
        let repo = self.primary_repo(id).await?;
        let until = (seconds > 0).then(|| self.clock.now().plus_seconds(seconds));
        self.quarantine_check(repo, command, until).await
    }

    async fn primary_repo(&self, id: ProjectId) -> Result<RepoId, EngineError> {
        let repo = tables::repos::primary_of(&self.db, id).await?;
        Ok(require_found(repo, "repository of the project", id)?.id)
    }
}
