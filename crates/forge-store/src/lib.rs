//! The only SQL in Forge: one small layer over native SQLite and PostgreSQL pools.
//!
//! A [`Db`] is opened from a [`DatabaseUrl`], which also migrates its tables. Reads use [`Db::fetch_all`] and similar
//! functions; every change uses [`Db::write`], whose closure gets a [`Tx`]. The text of a [`SqlStatement`] is the same
//! on both engines; the differences are in [`SqlDialect`].

mod cursor;
mod database_url;
mod db;
mod dialect;
mod migrate;
mod migration;
mod postgres;
mod row;
mod sqlite;
mod statement;
mod store_error;
pub mod tables;
mod tx;
mod value;
mod wake;
mod wake_listener;
mod write_job;
mod write_stats;

pub use crate::cursor::{CursorError, CursorValue, PageCursor};
pub use crate::database_url::{DatabaseUrl, DatabaseUrlError};
pub use crate::db::Db;
pub use crate::dialect::{RowLock, SqlDialect};
pub use crate::migration::{MIGRATIONS, SchemaMigration};
pub use crate::row::{DbRow, FromColumn};
pub use crate::statement::{SqlStatement, stmt};
pub use crate::store_error::{ConstraintRule, MigrationError, StoreError};
pub use crate::tx::Tx;
pub use crate::value::SqlValue;
pub use crate::wake::{WakeChannel, WakeHint, WakeSubscription};
pub use crate::write_stats::WriteStats;
