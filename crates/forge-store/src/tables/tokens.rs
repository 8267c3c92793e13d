//! Bearer tokens (S-6). Only their hashes are kept.

use forge_domain::{Timestamp, TokenId, UserId};

use super::users::{self, User};
use crate::db::Db;
use crate::errors::StoreError;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::tx::Tx;

/// A bearer token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its identity.
    pub id: TokenId,
    /// Whose it is.
    pub user_id: UserId,
    /// What its owner calls it.
    pub name: String,
    /// SHA-256 of the secret, in hexadecimal.
    pub hash: String,
    /// What it may be used for.
    pub scope: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used.
    pub last_used_at: Option<Timestamp>,
    /// When it stops working.
    pub expires_at: Option<Timestamp>,
    /// When it was taken back.
    pub revoked_at: Option<Timestamp>,
}

impl Token {
    /// Whether it opens anything now.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }
}

/// Adds a token.
pub async fn insert(tx: &mut Tx, token: &Token) -> Result<(), StoreError> {
    let insert = stmt(
        "INSERT INTO tokens (id, user_id, name, hash, scope, created_at, last_used_at, expires_at, revoked_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(token.id)
    .bind(token.user_id)
    .bind(&token.name)
    .bind(&token.hash)
    .bind(&token.scope)
    .bind(token.created_at)
    .bind(token.last_used_at)
    .bind(token.expires_at)
    .bind(token.revoked_at);
    tx.execute(insert).await?;
    Ok(())
}

/// The token with this hash and its owner; also one that no longer works, see [`Token::is_valid`].
pub async fn by_hash(db: &Db, hash: &str) -> Result<Option<(Token, User)>, StoreError> {
    let select = stmt(
        "SELECT tokens.*, users.name AS user_name, users.password_hash AS user_password_hash,
                users.role AS user_role, users.created_at AS user_created_at
         FROM tokens JOIN users ON users.id = tokens.user_id WHERE tokens.hash = $1",
    );
    db.fetch_optional(select.bind(hash))
        .await?
        .as_ref()
        .map(|row| Ok((read(row)?, users::read_joined(row)?)))
        .transpose()
}

/// A person's tokens, oldest first.
pub async fn list_of_user(db: &Db, user: UserId) -> Result<Vec<Token>, StoreError> {
    let select = stmt("SELECT * FROM tokens WHERE user_id = $1 ORDER BY id").bind(user);
    db.fetch_all(select).await?.iter().map(read).collect()
}

/// Notes that a token was used.
pub async fn touch(tx: &mut Tx, id: TokenId, now: Timestamp) -> Result<(), StoreError> {
    let update = stmt("UPDATE tokens SET last_used_at = $2 WHERE id = $1");
    tx.execute(update.bind(id).bind(now)).await?;
    Ok(())
}

/// Takes a token back. False if there is none that still worked.
pub async fn revoke(tx: &mut Tx, id: TokenId, now: Timestamp) -> Result<bool, StoreError> {
    let update = stmt("UPDATE tokens SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL");
    Ok(tx.execute(update.bind(id).bind(now)).await? == 1)
}

fn read(row: &DbRow) -> Result<Token, StoreError> {
    Ok(Token {
        id: row.parse("id")?,
        user_id: row.parse("user_id")?,
        name: row.get("name")?,
        hash: row.get("hash")?,
        scope: row.get("scope")?,
        created_at: row.at("created_at")?,
        last_used_at: row.maybe_at("last_used_at")?,
        expires_at: row.maybe_at("expires_at")?,
        revoked_at: row.maybe_at("revoked_at")?,
    })
}
