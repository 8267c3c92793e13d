//! The embedded engine. SQLite runs on the threads that call it: the writer's own, and those that readers wait on.

mod connection;
mod failure;
mod readers;
mod row;
mod store;
mod writer;

pub(crate) use connection::Connection;
pub(crate) use row::SqliteRow;
pub(crate) use store::Sqlite;
