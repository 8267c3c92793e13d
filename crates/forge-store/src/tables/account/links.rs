//! One-time codes, such as the link of the first start (S-6). Only hashes are stored.

use forge_domain::{Timestamp, UserId};

use crate::db::Db;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tx::Tx;

/// A code that works once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneTimeLinkRow {
    /// SHA-256 of the code, in hexadecimal.
    pub hash: String,
    pub purpose: String,
    /// The user it is for, if known.
    pub user_id: Option<UserId>,
    /// Time at which it expires.
    pub expires_at: Timestamp,
    pub used_at: Option<Timestamp>,
}

/// Adds a code.
pub async fn insert(tx: &mut Tx, link: &OneTimeLinkRow) -> Result<(), StoreError> {
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

/// Marks a code as used. `None` if it does not exist, was used before, or has expired.
pub async fn use_once(
    tx: &mut Tx,
    hash: &str,
    now: Timestamp,
) -> Result<Option<OneTimeLinkRow>, StoreError> {
    let update = stmt(
        "UPDATE links SET used_at = $2 WHERE hash = $1 AND used_at IS NULL AND expires_at > $2 RETURNING *",
    );
    tx.fetch_optional(update.bind(hash).bind(now)).await?.as_ref().map(read).transpose()
}

/// The user of a code that still works, if it has one.
pub async fn owner(db: &Db, hash: &str, now: Timestamp) -> Result<Option<UserId>, StoreError> {
    let select =
        stmt("SELECT * FROM links WHERE hash = $1 AND used_at IS NULL AND expires_at > $2");
    let row = db.fetch_optional(select.bind(hash).bind(now)).await?;
    Ok(row.as_ref().map(read).transpose()?.and_then(|link| link.user_id))
}

/// Deletes all codes of a user.
pub async fn delete_of_user(tx: &mut Tx, user: UserId) -> Result<(), StoreError> {
    tx.execute(stmt("DELETE FROM links WHERE user_id = $1").bind(user)).await?;
    Ok(())
}

fn read(row: &DbRow) -> Result<OneTimeLinkRow, StoreError> {
    Ok(OneTimeLinkRow {
        hash: row.get("hash")?,
        purpose: row.get("purpose")?,
        user_id: row.maybe_parse("user_id")?,
        expires_at: row.at("expires_at")?,
        used_at: row.maybe_at("used_at")?,
    })
}
