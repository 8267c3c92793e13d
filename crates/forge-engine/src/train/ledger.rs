//! What is known of each check: whether it can be trusted (M-12).

use crate::engine::Engine;
use crate::errors::EngineError;
use forge_domain::{CheckResult, RepoId, Timestamp};
use forge_store::tables::check_ledger::{self, Ran};
use std::collections::BTreeSet;

pub use forge_store::tables::check_ledger::CheckRecord;

impl Engine {
    /// The checks of a repository, the least trustworthy first.
    pub async fn check_records(&self, repo: RepoId) -> Result<Vec<CheckRecord>, EngineError> {
        Ok(check_ledger::list(self.db(), repo).await?)
    }

    /// Nobody is blamed for the failure of this check until then; `None` ends it.
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
        self.replan_lines();
        Ok(())
    }

    /// The checks for whose failure nobody is blamed now.
    pub(crate) async fn quarantined(&self, repo: RepoId) -> Result<BTreeSet<String>, EngineError> {
        let now = self.now();
        let records = self.check_records(repo).await?.into_iter();
        let still = records.filter(|one| one.quarantined_until.is_some_and(|until| until > now));
        Ok(still.map(|record| record.command).collect())
    }

    /// Writes down how checks ran on a trial; `failed` are those that failed on the same tree before.
    pub(crate) async fn note_checks(
        &self,
        repo: RepoId,
        results: &[CheckResult],
        failed: &BTreeSet<String>,
    ) -> Result<(), EngineError> {
        let now = self.now();
        let ran = |result: &CheckResult| match result.has_held() {
            false => Ran::Failed,
            true if failed.contains(&result.command) => Ran::Flipped,
            true => Ran::Passed,
        };
        let runs: Vec<(String, Ran)> =
            results.iter().map(|result| (result.command.clone(), ran(result))).collect();
        let write = self.db().write(move |tx| {
            let runs = runs.clone();
            Box::pin(async move {
                for (command, ran) in runs {
                    check_ledger::note(tx, repo, &command, ran, now).await?;
                }
                Ok::<_, EngineError>(())
            })
        });
        write.await
    }
}
