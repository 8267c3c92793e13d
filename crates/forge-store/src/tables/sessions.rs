//! Browser sessions (S-6). Only the hashes of their cookies are kept.

use forge_domain::{Timestamp, UserId};

use super::users::{self, User};
use crate::db::Db;
use crate::errors::StoreError;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::tx::Tx;

/// A browser that somebody signed in with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// SHA-256 of the cookie, in hexadecimal.
    pub hash: String,
    /// Who signed in.
    pub user_id: UserId,
    /// When.
    pub created_at: Timestamp,
    /// Until when it holds.
    pub expires_at: Timestamp,
}

/// Adds a session.
pub async fn insert(tx: &mut Tx, session: &Session) -> Result<(), StoreError> {
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

/// The session with this hash and its person, unless it is over.
pub async fn by_hash(
    db: &Db,
    hash: &str,
    now: Timestamp,
) -> Result<Option<(Session, User)>, StoreError> {
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

/// Ends a session. False if there was none.
pub async fn delete(tx: &mut Tx, hash: &str) -> Result<bool, StoreError> {
    let delete = stmt("DELETE FROM sessions WHERE hash = $1").bind(hash);
    Ok(tx.execute(delete).await? == 1)
}

/// Ends all sessions of a person but the one with this hash, and answers the hashes of those that ended.
pub async fn delete_others(
    tx: &mut Tx,
    user: UserId,
    kept: Option<&str>,
) -> Result<Vec<String>, StoreError> {
    let delete = stmt("DELETE FROM sessions WHERE user_id = $1 AND hash <> $2 RETURNING hash");
    let rows = tx.fetch_all(delete.bind(user).bind(kept.unwrap_or_default())).await?;
    rows.iter().map(|row| row.get("hash")).collect()
}

/// Forgets the sessions that are over, and answers how many they were.
pub async fn delete_expired(tx: &mut Tx, now: Timestamp) -> Result<u64, StoreError> {
    tx.execute(stmt("DELETE FROM sessions WHERE expires_at <= $1").bind(now)).await
}

fn read(row: &DbRow) -> Result<Session, StoreError> {
    Ok(Session {
        hash: row.get("hash")?,
        user_id: row.parse("user_id")?,
        created_at: row.at("created_at")?,
        expires_at: row.at("expires_at")?,
    })
}
