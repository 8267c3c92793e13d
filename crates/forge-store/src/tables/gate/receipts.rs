//! Receipts of passed checks (M-5).

use forge_domain::{CheckResult, ChecksHash, ReceiptKey, RepoId, ReviewId, Timestamp};

use crate::db::Db;
use crate::row::DbRow;
use crate::statement::{SqlStatement, stmt};
use crate::store_error::StoreError;
use crate::tables::column::json;
use crate::tx::Tx;

/// A run of checks that passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptRow {
    pub repo_id: RepoId,
    /// The checked tree, and the hash of the checks.
    pub key: ReceiptKey,
    /// The commit of the tree.
    pub commit: String,
    /// The review that ran them; `None` for a trial of the merge train.
    pub review_id: Option<ReviewId>,
    /// The results, in order.
    pub results: Vec<CheckResult>,
    /// Time at which they passed.
    pub at: Timestamp,
}

/// The receipt of a tree under these checks.
pub async fn find(
    db: &Db,
    repo: RepoId,
    key: &ReceiptKey,
) -> Result<Option<ReceiptRow>, StoreError> {
    db.fetch_optional(select(repo, key)).await?.as_ref().map(read).transpose()
}

/// Stores a receipt; an existing one stays, because it is as good.
pub async fn put(tx: &mut Tx, receipt: &ReceiptRow) -> Result<(), StoreError> {
    let insert = stmt(
        "INSERT INTO gate_receipts (repo_id, tree, checks, commit_id, review_id, results, at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
    )
    .bind(receipt.repo_id)
    .bind(receipt.key.tree.as_str())
    .bind(&receipt.key.checks)
    .bind(receipt.commit.as_str())
    .bind(receipt.review_id)
    .bind(json(&receipt.results)?)
    .bind(receipt.at);
    tx.execute(insert).await?;
    Ok(())
}

fn select(repo: RepoId, key: &ReceiptKey) -> SqlStatement {
    stmt("SELECT * FROM gate_receipts WHERE repo_id = $1 AND tree = $2 AND checks = $3")
        .bind(repo)
        .bind(key.tree.as_str())
        .bind(&key.checks)
}

fn read(row: &DbRow) -> Result<ReceiptRow, StoreError> {
    Ok(ReceiptRow {
        repo_id: row.parse("repo_id")?,
        key: ReceiptKey {
            tree: row.get("tree")?,
            checks: ChecksHash::new(row.get::<String>("checks")?),
        },
        commit: row.get("commit_id")?,
        review_id: row.maybe_parse("review_id")?,
        results: row.json("results")?,
        at: row.at("at")?,
    })
}
