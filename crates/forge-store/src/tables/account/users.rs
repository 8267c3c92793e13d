//! The table of users.

use forge_domain::{AccountRole, Timestamp, UserId};

use crate::db::Db;
use crate::dialect::RowLock;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tables::column::word;
use crate::tx::Tx;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserRow {
    pub id: UserId,
    /// Their name; unique.
    pub name: String,
    /// Hash of the password, if the user has one.
    pub password_hash: Option<String>,
    /// Role of the user on the server.
    pub role: AccountRole,
    pub created_at: Timestamp,
    /// When the account was removed. Its row stays, because the history names the user.
    pub removed_at: Option<Timestamp>,
}

/// Adds a person.
pub async fn insert(tx: &mut Tx, user: &UserRow) -> Result<(), StoreError> {
    let insert = stmt(
        "INSERT INTO users (id, name, password_hash, role, created_at) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(user.id)
    .bind(&user.name)
    .bind(user.password_hash.clone())
    .bind(word(user.role)?)
    .bind(user.created_at);
    tx.execute(insert).await?;
    Ok(())
}

/// Updates a user's name, password hash and role. Returns false if the user does not exist.
pub async fn update(tx: &mut Tx, user: &UserRow) -> Result<bool, StoreError> {
    let update = stmt("UPDATE users SET name = $2, password_hash = $3, role = $4 WHERE id = $1")
        .bind(user.id)
        .bind(&user.name)
        .bind(user.password_hash.clone())
        .bind(word(user.role)?);
    Ok(tx.execute(update).await? == 1)
}

/// Replaces a user's password hash. Returns false if it is not `before` any more.
pub async fn change_password(
    tx: &mut Tx,
    user: UserId,
    before: Option<&str>,
    after: &str,
) -> Result<bool, StoreError> {
    // No hash is empty, so an empty text matches only a missing hash.
    let update = stmt(
        "UPDATE users SET password_hash = $3 WHERE id = $1 AND COALESCE(password_hash, '') = $2",
    );
    let update = update.bind(user).bind(before.unwrap_or_default()).bind(after);
    Ok(tx.execute(update).await? == 1)
}

/// Loads one user, removed or not.
pub async fn load(db: &Db, id: UserId) -> Result<Option<UserRow>, StoreError> {
    let select = stmt("SELECT * FROM users WHERE id = $1").bind(id);
    db.fetch_optional(select).await?.as_ref().map(read).transpose()
}

/// Loads a user by name.
pub async fn by_name(db: &Db, name: &str) -> Result<Option<UserRow>, StoreError> {
    let select = stmt("SELECT * FROM users WHERE name = $1").bind(name);
    db.fetch_optional(select).await?.as_ref().map(read).transpose()
}

/// Loads a user whose account was not removed, and locks the row until the transaction ends.
pub async fn lock(tx: &mut Tx, id: UserId) -> Result<Option<UserRow>, StoreError> {
    let select = stmt("SELECT * FROM users WHERE id = $1 AND removed_at IS NULL").bind(id);
    tx.fetch_optional(select.lock_rows(RowLock::Update)).await?.as_ref().map(read).transpose()
}

/// Removes an account: its name is free, and it has neither a password nor a membership. The row stays.
pub async fn remove(tx: &mut Tx, id: UserId, now: Timestamp) -> Result<(), StoreError> {
    // The right-hand sides are the values before the update.
    let remove = stmt(
        "UPDATE users SET removed_at = $2, removed_name = name, name = id, password_hash = NULL
         WHERE id = $1 AND removed_at IS NULL",
    );
    tx.execute(remove.bind(id).bind(now)).await?;
    for text in
        ["DELETE FROM project_members WHERE user_id = $1", "DELETE FROM links WHERE user_id = $1"]
    {
        tx.execute(stmt(text).bind(id)).await?;
    }
    Ok(())
}

/// All users whose accounts were not removed, by name.
pub async fn list(db: &Db) -> Result<Vec<UserRow>, StoreError> {
    let rows =
        db.fetch_all(stmt("SELECT * FROM users WHERE removed_at IS NULL ORDER BY name")).await?;
    rows.iter().map(read).collect()
}

/// Number of users.
pub async fn count(db: &Db) -> Result<i64, StoreError> {
    db.fetch_one(stmt(COUNT)).await?.get("people")
}

/// Number of users, read inside the transaction: the first user is created only if there is none.
pub async fn count_in(tx: &mut Tx) -> Result<i64, StoreError> {
    tx.fetch_one(stmt(COUNT)).await?.get("people")
}

/// The admin that was created first, if there is one.
pub async fn first_admin_in(tx: &mut Tx) -> Result<Option<UserRow>, StoreError> {
    let select = stmt(
        "SELECT * FROM users WHERE role = $1 AND removed_at IS NULL ORDER BY created_at, id LIMIT 1",
    );
    let row = tx.fetch_optional(select.bind(word(AccountRole::Admin)?)).await?;
    row.as_ref().map(read).transpose()
}

const COUNT: &str = "SELECT COUNT(*) AS people FROM users WHERE removed_at IS NULL";

fn read(row: &DbRow) -> Result<UserRow, StoreError> {
    Ok(UserRow {
        id: row.parse("id")?,
        name: match row.get("removed_name")? {
            Some(name) => name,
            None => row.get("name")?,
        },
        password_hash: row.get("password_hash")?,
        role: row.word("role")?,
        created_at: row.at("created_at")?,
        removed_at: row.maybe_at("removed_at")?,
    })
}

/// Reads a user from a row that is joined with one of its records.
pub(crate) fn read_joined(row: &DbRow) -> Result<UserRow, StoreError> {
    Ok(UserRow {
        id: row.parse("user_id")?,
        name: row.get("user_name")?,
        password_hash: row.get("user_password_hash")?,
        role: row.word("user_role")?,
        created_at: row.at("user_created_at")?,
        // A removed user has neither tokens that work nor sessions.
        removed_at: None,
    })
}
