//! Browser sessions (S-6). Only the hashes of their cookies are stored.

use forge_domain::{Timestamp, UserId};

use crate::db::Db;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tables::account::users;
use crate::tables::account::users::UserRow;
use crate::tx::Tx;

/// A browser session of a signed-in user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRow {
    /// SHA-256 of the cookie, in hexadecimal.
    pub hash: String,
    /// The signed-in user.
    pub user_id: UserId,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
}

/// Adds a session.
pub async fn insert(tx: &mut Tx, session: &SessionRow) -> Result<(), StoreError> {
    let insert = stmt(
        "INSERT INTO sessions (hash, user_id, created_at, expires_at) VALUES ($1, $2, $3, $4)",
    )
    .bind(&session.hash)
    .bind(session.user_id)
    .bind(session.created_at)
    .bind(session.expires_at);
    tx.execute(insert).await?;
    Ok(())
}

/// The session with this hash and its user, unless it has expired.
pub async fn by_hash(
    db: &Db,
    hash: &str,
    now: Timestamp,
) -> Result<Option<(SessionRow, UserRow)>, StoreError> {
    let select = stmt(
        "SELECT sessions.*, users.name AS user_name, users.password_hash AS user_password_hash,
                users.role AS user_role, users.created_at AS user_created_at
         FROM sessions JOIN users ON users.id = sessions.user_id
         WHERE sessions.hash = $1 AND sessions.expires_at > $2",
    );
    db.fetch_optional(select.bind(hash).bind(now))
        .await?
        .as_ref()
        .map(|row| Ok((read(row)?, users::read_joined(row)?)))
        .transpose()
}

/// Ends a session. Returns false if there was none.
pub async fn delete(tx: &mut Tx, hash: &str) -> Result<bool, StoreError> {
    let delete = stmt("DELETE FROM sessions WHERE hash = $1").bind(hash);
    Ok(tx.execute(delete).await? == 1)
}

/// Ends all sessions of a user except the one with this hash, and returns the hashes of the ended ones.
pub async fn delete_others(
    tx: &mut Tx,
    user: UserId,
    kept: Option<&str>,
) -> Result<Vec<String>, StoreError> {
    let delete = stmt("DELETE FROM sessions WHERE user_id = $1 AND hash <> $2 RETURNING hash");
    let rows = tx.fetch_all(delete.bind(user).bind(kept.unwrap_or_default())).await?;
    rows.iter().map(|row| row.get("hash")).collect()
}

/// Deletes expired sessions, and returns how many.
pub async fn delete_expired(tx: &mut Tx, now: Timestamp) -> Result<u64, StoreError> {
    tx.execute(stmt("DELETE FROM sessions WHERE expires_at <= $1").bind(now)).await
}

fn read(row: &DbRow) -> Result<SessionRow, StoreError> {
    Ok(SessionRow {
        hash: row.get("hash")?,
        user_id: row.parse("user_id")?,
        created_at: row.at("created_at")?,
        expires_at: row.at("expires_at")?,
    })
}
