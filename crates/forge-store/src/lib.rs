//! The only SQL in Forge: one small gate over native SQLite and PostgreSQL pools.
//!
//! A [`Db`] is opened from a [`DatabaseUrl`], which also brings its tables up to date. Reads go through
//! [`Db::fetch_all`] and its sisters; every change goes through [`Db::write`], whose closure gets a [`Tx`]. The text of
//! a [`Stmt`] is the same on both engines; what cannot be lives side by side in [`Dialect`].

mod cursor;
mod db;
mod dialect;
mod errors;
mod job;
mod listener;
mod migrate;
mod migration;
mod postgres;
mod row;
mod sqlite;
mod statement;
mod stats;
pub mod tables;
mod tx;
mod url;
mod value;
mod wake;

pub use cursor::{Cursor, CursorError, CursorValue};
pub use db::Db;
pub use dialect::{Dialect, RowLock};
pub use errors::{ConstraintRule, MigrationError, StoreError};
pub use migration::{MIGRATIONS, Migration};
pub use row::{DbRow, FromColumn};
pub use statement::{Stmt, stmt};
pub use stats::WriteStats;
pub use tx::Tx;
pub use url::{DatabaseUrl, DatabaseUrlError};
pub use value::Value;
pub use wake::{Channel, Subscription, Wake};
