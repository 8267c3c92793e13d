//! Statistics about each check of a repository (M-12).

use forge_domain::{RepoId, Timestamp};

use crate::db::Db;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tx::Tx;

/// Statistics about one check, over all trials of the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckLedgerRow {
    pub command: String,
    /// Number of runs.
    pub runs: i64,
    /// Number of failed runs.
    pub failures: i64,
    /// Number of passes on a tree on which it had failed before.
    pub flips: i64,
    /// Time of the last run.
    pub last_run_at: Option<Timestamp>,
    /// Time at which it last gave two results on one tree.
    pub last_flip_at: Option<Timestamp>,
    /// Until when its failures are ignored.
    pub quarantined_until: Option<Timestamp>,
}

/// Outcome of one run of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckRunOutcome {
    /// The check passed.
    Passed,
    /// The check passed on a tree on which it had failed.
    Flipped,
    /// The check failed.
    Failed,
}

/// Records one run.
pub async fn record_run(
    tx: &mut Tx,
    repo: RepoId,
    command: &str,
    ran: CheckRunOutcome,
    at: Timestamp,
) -> Result<(), StoreError> {
    let (failed, flipped) =
        (i64::from(ran == CheckRunOutcome::Failed), i64::from(ran == CheckRunOutcome::Flipped));
    let put = stmt(
        "INSERT INTO check_ledger (repo_id, command, runs, failures, flips, last_run_at, last_flip_at)
         VALUES ($1, $2, 1, $3, $4, $5, $6)
         ON CONFLICT (repo_id, command) DO UPDATE SET
             runs = check_ledger.runs + 1,
             failures = check_ledger.failures + excluded.failures,
             flips = check_ledger.flips + excluded.flips,
             last_run_at = excluded.last_run_at,
             last_flip_at = COALESCE(excluded.last_flip_at, check_ledger.last_flip_at)",
    )
    .bind(repo)
    .bind(command)
    .bind(failed)
    .bind(flipped)
    .bind(at)
    .bind((ran == CheckRunOutcome::Flipped).then_some(at));
    tx.execute(put).await?;
    Ok(())
}

/// Ignores failures of this check until then; `None` ends the quarantine.
pub async fn quarantine(
    tx: &mut Tx,
    repo: RepoId,
    command: &str,
    until: Option<Timestamp>,
) -> Result<(), StoreError> {
    let put = stmt(
        "INSERT INTO check_ledger (repo_id, command, runs, failures, flips, quarantined_until)
         VALUES ($1, $2, 0, 0, 0, $3)
         ON CONFLICT (repo_id, command) DO UPDATE SET quarantined_until = excluded.quarantined_until",
    )
    .bind(repo)
    .bind(command)
    .bind(until);
    tx.execute(put).await?;
    Ok(())
}

/// All checks of a repository, those with the most flips first.
pub async fn list(db: &Db, repo: RepoId) -> Result<Vec<CheckLedgerRow>, StoreError> {
    let query = stmt(
        "SELECT * FROM check_ledger WHERE repo_id = $1 ORDER BY flips DESC, failures DESC, command",
    );
    db.fetch_all(query.bind(repo)).await?.iter().map(read).collect()
}

fn read(row: &DbRow) -> Result<CheckLedgerRow, StoreError> {
    Ok(CheckLedgerRow {
        command: row.get("command")?,
        runs: row.get("runs")?,
        failures: row.get("failures")?,
        flips: row.get("flips")?,
        last_run_at: row.maybe_at("last_run_at")?,
        last_flip_at: row.maybe_at("last_flip_at")?,
        quarantined_until: row.maybe_at("quarantined_until")?,
    })
}
