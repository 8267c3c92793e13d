//! One-time codes, such as the link of the first start (S-6). Only their hashes are kept.

use forge_domain::{Timestamp, UserId};

use crate::errors::StoreError;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::tx::Tx;

/// A code that works once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// SHA-256 of the code, in hexadecimal.
    pub hash: String,
    /// What it is for.
    pub purpose: String,
    /// For whom, if that is known.
    pub user_id: Option<UserId>,
    /// When it stops working.
    pub expires_at: Timestamp,
    /// When it was used.
    pub used_at: Option<Timestamp>,
}

/// Adds a code.
pub async fn insert(tx: &mut Tx, link: &Link) -> Result<(), StoreError> {
    let insert = stmt(
        "INSERT INTO links (hash, purpose, user_id, expires_at, used_at) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(&link.hash)
    .bind(&link.purpose)
    .bind(link.user_id)
    .bind(link.expires_at)
    .bind(link.used_at);
    tx.execute(insert).await?;
    Ok(())
}

/// Uses a code up. `None` if there is none, or it was used before, or its time is over.
pub async fn use_once(tx: &mut Tx, hash: &str, now: Timestamp) -> Result<Option<Link>, StoreError> {
    let update = stmt(
        "UPDATE links SET used_at = $2 WHERE hash = $1 AND used_at IS NULL AND expires_at > $2 RETURNING *",
    );
    tx.fetch_optional(update.bind(hash).bind(now)).await?.as_ref().map(read).transpose()
}

fn read(row: &DbRow) -> Result<Link, StoreError> {
    Ok(Link {
        hash: row.get("hash")?,
        purpose: row.get("purpose")?,
        user_id: row.maybe_parse("user_id")?,
        expires_at: row.at("expires_at")?,
        used_at: row.maybe_at("used_at")?,
    })
}
