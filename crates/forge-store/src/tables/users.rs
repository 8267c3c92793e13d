//! People.

use forge_domain::{Timestamp, UserId};

use crate::db::Db;
use crate::errors::StoreError;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::tx::Tx;

/// A person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// Their identity.
    pub id: UserId,
    /// Their name; unique.
    pub name: String,
    /// The hash of their password, if they have one.
    pub password_hash: Option<String>,
    /// What they may do.
    pub role: String,
    /// When they were added.
    pub created_at: Timestamp,
}

/// Adds a person.
pub async fn insert(tx: &mut Tx, user: &User) -> Result<(), StoreError> {
    let insert = stmt(
        "INSERT INTO users (id, name, password_hash, role, created_at) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(user.id)
    .bind(&user.name)
    .bind(user.password_hash.clone())
    .bind(&user.role)
    .bind(user.created_at);
    tx.execute(insert).await?;
    Ok(())
}

/// Writes a person's name, password hash and role. False if there is no such person.
pub async fn update(tx: &mut Tx, user: &User) -> Result<bool, StoreError> {
    let update = stmt("UPDATE users SET name = $2, password_hash = $3, role = $4 WHERE id = $1")
        .bind(user.id)
        .bind(&user.name)
        .bind(user.password_hash.clone())
        .bind(&user.role);
    Ok(tx.execute(update).await? == 1)
}

/// Writes a person's password hash in place of the one that was looked at. False if somebody was faster.
pub async fn change_password(
    tx: &mut Tx,
    user: UserId,
    before: Option<&str>,
    after: &str,
) -> Result<bool, StoreError> {
    // No hash is empty, so nothing else is taken for one that is not there.
    let update = stmt(
        "UPDATE users SET password_hash = $3 WHERE id = $1 AND COALESCE(password_hash, '') = $2",
    );
    let update = update.bind(user).bind(before.unwrap_or_default()).bind(after);
    Ok(tx.execute(update).await? == 1)
}

/// One person.
pub async fn load(db: &Db, id: UserId) -> Result<Option<User>, StoreError> {
    let select = stmt("SELECT * FROM users WHERE id = $1").bind(id);
    db.fetch_optional(select).await?.as_ref().map(read).transpose()
}

/// One person by name.
pub async fn by_name(db: &Db, name: &str) -> Result<Option<User>, StoreError> {
    let select = stmt("SELECT * FROM users WHERE name = $1").bind(name);
    db.fetch_optional(select).await?.as_ref().map(read).transpose()
}

/// Everybody, by name.
pub async fn list(db: &Db) -> Result<Vec<User>, StoreError> {
    let rows = db.fetch_all(stmt("SELECT * FROM users ORDER BY name")).await?;
    rows.iter().map(read).collect()
}

/// How many people there are.
pub async fn count(db: &Db) -> Result<i64, StoreError> {
    db.fetch_one(stmt(COUNT)).await?.get("people")
}

/// How many people there are, as the transaction sees it: the first one is made only where there is none.
pub async fn count_in(tx: &mut Tx) -> Result<i64, StoreError> {
    tx.fetch_one(stmt(COUNT)).await?.get("people")
}

const COUNT: &str = "SELECT COUNT(*) AS people FROM users";

fn read(row: &DbRow) -> Result<User, StoreError> {
    Ok(User {
        id: row.parse("id")?,
        name: row.get("name")?,
        password_hash: row.get("password_hash")?,
        role: row.get("role")?,
        created_at: row.at("created_at")?,
    })
}

/// A person out of a row that also holds what belongs to them.
pub(super) fn read_joined(row: &DbRow) -> Result<User, StoreError> {
    Ok(User {
        id: row.parse("user_id")?,
        name: row.get("user_name")?,
        password_hash: row.get("user_password_hash")?,
        role: row.get("user_role")?,
        created_at: row.at("user_created_at")?,
    })
}
