//! Access tokens (S-6). Only hashes are stored.

use forge_domain::{Timestamp, TokenAccess, TokenId, UserId};

use crate::db::Db;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tables::account::users;
use crate::tables::account::users::UserRow;
use crate::tables::column::word;
use crate::tx::Tx;

/// A bearer token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenRow {
    pub id: TokenId,
    /// The owner of the token.
    pub user_id: UserId,
    /// Name given by its owner.
    pub name: String,
    /// SHA-256 of the secret, in hexadecimal.
    pub hash: String,
    /// What the token allows.
    pub scope: TokenAccess,
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
    /// Time at which it expires.
    pub expires_at: Option<Timestamp>,
    /// When it was taken back.
    pub revoked_at: Option<Timestamp>,
}

impl TokenRow {
    /// Whether the token is valid now.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }
}

/// Adds a token.
pub async fn insert(tx: &mut Tx, token: &TokenRow) -> Result<(), StoreError> {
    let insert = stmt(
        "INSERT INTO tokens (id, user_id, name, hash, scope, created_at, last_used_at, expires_at, revoked_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(token.id)
    .bind(token.user_id)
    .bind(&token.name)
    .bind(&token.hash)
    .bind(word(token.scope)?)
    .bind(token.created_at)
    .bind(token.last_used_at)
    .bind(token.expires_at)
    .bind(token.revoked_at);
    tx.execute(insert).await?;
    Ok(())
}

/// The token with this hash and its owner, valid or not; see [`TokenRow::is_valid`].
pub async fn by_hash(db: &Db, hash: &str) -> Result<Option<(TokenRow, UserRow)>, StoreError> {
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

/// A user's tokens, oldest first.
pub async fn list_of_user(db: &Db, user: UserId) -> Result<Vec<TokenRow>, StoreError> {
    let select = stmt("SELECT * FROM tokens WHERE user_id = $1 ORDER BY id").bind(user);
    db.fetch_all(select).await?.iter().map(read).collect()
}

/// Records a use of the token.
pub async fn touch(tx: &mut Tx, id: TokenId, now: Timestamp) -> Result<(), StoreError> {
    let update = stmt("UPDATE tokens SET last_used_at = $2 WHERE id = $1");
    tx.execute(update.bind(id).bind(now)).await?;
    Ok(())
}

/// Revokes a token. Returns false if there was no token that still worked.
pub async fn revoke(tx: &mut Tx, id: TokenId, now: Timestamp) -> Result<bool, StoreError> {
    let update = stmt("UPDATE tokens SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL");
    Ok(tx.execute(update.bind(id).bind(now)).await? == 1)
}

/// Revokes all tokens of a user; returns those that still worked.
pub async fn revoke_all(
    tx: &mut Tx,
    user: UserId,
    now: Timestamp,
) -> Result<Vec<TokenId>, StoreError> {
    let update = stmt(
        "UPDATE tokens SET revoked_at = $2 WHERE user_id = $1 AND revoked_at IS NULL RETURNING id",
    );
    let rows = tx.fetch_all(update.bind(user).bind(now)).await?;
    rows.iter().map(|row| row.parse("id")).collect()
}

fn read(row: &DbRow) -> Result<TokenRow, StoreError> {
    Ok(TokenRow {
        id: row.parse("id")?,
        user_id: row.parse("user_id")?,
        name: row.get("name")?,
        hash: row.get("hash")?,
        scope: row.word("scope")?,
        created_at: row.at("created_at")?,
        last_used_at: row.maybe_at("last_used_at")?,
        expires_at: row.maybe_at("expires_at")?,
        revoked_at: row.maybe_at("revoked_at")?,
    })
}
