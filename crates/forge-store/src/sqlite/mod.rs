//! The embedded engine. SQLite runs on the calling threads: the writer's own thread, and the threads of readers.

mod connection;
mod readers;
mod row;
mod sqlite_error;
mod store;
mod writer;

#[cfg(test)]
pub(crate) use crate::sqlite::connection::ConnectionAccess;
pub(crate) use crate::sqlite::connection::SqliteConnection;
pub(crate) use crate::sqlite::row::SqliteRow;
pub(crate) use crate::sqlite::store::SqliteStore;
