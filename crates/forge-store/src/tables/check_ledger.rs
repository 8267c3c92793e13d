//! What is known of each check of a repository (M-12).

use forge_domain::{RepoId, Timestamp};

use crate::db::Db;
use crate::errors::StoreError;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::tx::Tx;

/// One check, over all trials of the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckRecord {
    /// The command.
    pub command: String,
    /// How often it ran.
    pub runs: i64,
    /// How often it did not pass.
    pub failures: i64,
    /// How often it passed on a tree on which it had failed before.
    pub flips: i64,
    /// When it ran last.
    pub last_run_at: Option<Timestamp>,
    /// When it last gave two results on one tree.
    pub last_flip_at: Option<Timestamp>,
    /// Until when nobody is blamed for its failure.
    pub quarantined_until: Option<Timestamp>,
}

/// How one run of a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ran {
    /// As it should.
    Passed,
    /// As it should, on a tree on which it had failed.
    Flipped,
    /// Otherwise.
    Failed,
}

/// Writes down one run.
pub async fn note(
    tx: &mut Tx,
    repo: RepoId,
    command: &str,
    ran: Ran,
    at: Timestamp,
) -> Result<(), StoreError> {
    let (failed, flipped) = (i64::from(ran == Ran::Failed), i64::from(ran == Ran::Flipped));
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
    .bind((ran == Ran::Flipped).then_some(at));
    tx.execute(put).await?;
    Ok(())
}

/// Nobody is blamed for this check until then; `None` ends it.
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

/// All checks of a repository, those that flip most first.
pub async fn list(db: &Db, repo: RepoId) -> Result<Vec<CheckRecord>, StoreError> {
    let query = stmt(
        "SELECT * FROM check_ledger WHERE repo_id = $1 ORDER BY flips DESC, failures DESC, command",
    );
    db.fetch_all(query.bind(repo)).await?.iter().map(read).collect()
}

fn read(row: &DbRow) -> Result<CheckRecord, StoreError> {
    Ok(CheckRecord {
        command: row.get("command")?,
        runs: row.get("runs")?,
        failures: row.get("failures")?,
        flips: row.get("flips")?,
        last_run_at: row.maybe_at("last_run_at")?,
        last_flip_at: row.maybe_at("last_flip_at")?,
        quarantined_until: row.maybe_at("quarantined_until")?,
    })
}
