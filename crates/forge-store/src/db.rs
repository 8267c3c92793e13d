use std::path::Path;
use std::sync::Arc;

use futures::future::BoxFuture;

use crate::database_url::{DatabaseLocation, DatabaseUrl};
use crate::dialect::SqlDialect;
use crate::migration::{MIGRATIONS, SchemaMigration};
use crate::postgres::PostgresStore;
use crate::row::{DbRow, NativeRow, postgres_rows, sqlite_rows};
use crate::sqlite::SqliteStore;
use crate::statement::{SqlStatement, stmt};
use crate::store_error::{StoreError, from_sqlx};
use crate::tx::Tx;
use crate::wake::{WakeBroadcaster, WakeChannel, WakeSubscription};
use crate::write_job::{CommitDurability, refuse_nested_write};
use crate::write_stats::{WriteCounters, WriteStats};

/// The database. Cheap to clone; all clones share the same connections.
#[derive(Clone, Debug)]
pub struct Db(Arc<DbInner>);

#[derive(Debug)]
struct DbInner {
    engine: DatabaseEngine,
    wakes: WakeBroadcaster,
    counters: WriteCounters,
}

#[derive(Debug)]
enum DatabaseEngine {
    Sqlite(SqliteStore),
    Postgres(PostgresStore),
}

impl Db {
    /// Connects and migrates the tables. An open `Db` always has current tables.
    pub async fn open(url: &DatabaseUrl) -> Result<Self, StoreError> {
        Self::open_at(url, MIGRATIONS).await
    }

    /// Same with another list of migrations, for tests of upgrades.
    pub async fn open_at(
        url: &DatabaseUrl,
        migrations: &[SchemaMigration],
    ) -> Result<Self, StoreError> {
        let wakes = WakeBroadcaster::new();
        let counters = WriteCounters::default();
        let engine = match url.location() {
            DatabaseLocation::Sqlite(path) => DatabaseEngine::Sqlite(
                SqliteStore::open(path, migrations, wakes.clone(), counters.clone()).await?,
            ),
            DatabaseLocation::Postgres(options) => DatabaseEngine::Postgres(
                PostgresStore::open(options, migrations, wakes.clone(), counters.clone()).await?,
            ),
        };
        Ok(Self(Arc::new(DbInner { engine, wakes, counters })))
    }

    /// Refuses new writes, finishes accepted ones, and closes all connections.
    pub async fn close(&self) {
        match &self.0.engine {
            DatabaseEngine::Sqlite(sqlite) => sqlite.close().await,
            DatabaseEngine::Postgres(postgres) => postgres.close().await,
        }
    }

    /// The SQL dialect of the database.
    pub fn dialect(&self) -> SqlDialect {
        match &self.0.engine {
            DatabaseEngine::Sqlite(_) => SqlDialect::Sqlite,
            DatabaseEngine::Postgres(_) => SqlDialect::Postgres,
        }
    }

    /// The version of SQLite in this program, or of the PostgreSQL server.
    pub async fn fetch_engine_version(&self) -> Result<String, StoreError> {
        self.fetch_one(stmt(self.dialect().version_query())).await?.get("version")
    }

    /// Writes a consistent copy of the database to a new file, while reads and writes go on. An existing file is never
    /// overwritten. [`StoreError::NoBackup`] on PostgreSQL, which has tools of its own.
    pub async fn back_up_to(&self, path: &Path) -> Result<(), StoreError> {
        match &self.0.engine {
            DatabaseEngine::Sqlite(sqlite) => sqlite.back_up_to(path).await,
            DatabaseEngine::Postgres(_) => Err(StoreError::NoBackup),
        }
    }

    /// Statistics about the writes so far.
    pub fn write_stats(&self) -> WriteStats {
        self.0.counters.read()
    }

    /// Subscribes to writes that call [`Tx::wake`], from now on.
    pub fn subscribe(&self, channel: WakeChannel) -> WakeSubscription {
        self.0.wakes.subscribe(channel)
    }

    /// All rows of a query. It sees every write that was answered before it began.
    pub async fn fetch_all(&self, statement: SqlStatement) -> Result<Vec<DbRow>, StoreError> {
        match &self.0.engine {
            DatabaseEngine::Sqlite(sqlite) => {
                sqlite.fetch(statement, usize::MAX).await.map(sqlite_rows)
            }
            DatabaseEngine::Postgres(postgres) => {
                let rows = statement.into_postgres()?.fetch_all(postgres.readers()?).await;
                rows.map(postgres_rows).map_err(from_sqlx)
            }
        }
    }

    /// The first row of a query, if there is one.
    pub async fn fetch_optional(
        &self,
        statement: SqlStatement,
    ) -> Result<Option<DbRow>, StoreError> {
        let row = match &self.0.engine {
            DatabaseEngine::Sqlite(sqlite) => {
                let rows = sqlite.fetch(statement, 1).await?;
                rows.into_iter().next().map(NativeRow::Sqlite)
            }
            DatabaseEngine::Postgres(postgres) => {
                let row = statement.into_postgres()?.fetch_optional(postgres.readers()?).await;
                row.map_err(from_sqlx)?.map(NativeRow::Postgres)
            }
        };
        Ok(row.map(DbRow))
    }

    /// The first row of a query; [`StoreError::NoRow`] if there is none.
    pub async fn fetch_one(&self, statement: SqlStatement) -> Result<DbRow, StoreError> {
        self.fetch_optional(statement).await?.ok_or(StoreError::NoRow)
    }

    /// Runs the closure in one transaction and returns once it is committed. An `Err`, a panic or a failed statement
    /// undoes everything the closure did, and nothing else.
    ///
    /// The closure may contain **only SQL**: on SQLite every other writer waits for it, and on PostgreSQL every
    /// transaction that needs the same rows. An accepted write runs to its end, even if the caller drops the future.
    ///
    /// The closure is `Fn` because PostgreSQL may abort its transaction as the loser of a deadlock, and then it runs
    /// again from the start. Clone captured values inside it, or borrow them from an `Arc`.
    ///
    /// ```no_run
    /// # use forge_store::{Db, StoreError, stmt};
    /// # async fn example(db: Db, key: String) -> Result<(), StoreError> {
    /// db.write(move |tx| {
    ///     let delete = stmt("DELETE FROM meta WHERE key = $1").bind(&key);
    ///     Box::pin(async move { tx.execute(delete).await })
    /// })
    /// .await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T, E>> + Send + Sync + 'static,
    {
        refuse_nested_write()?;
        match &self.0.engine {
            DatabaseEngine::Sqlite(sqlite) => {
                sqlite.write(work, CommitDurability::PowerFailure).await
            }
            DatabaseEngine::Postgres(postgres) => postgres.write(work).await,
        }
    }

    /// Same for data that matters only while this machine runs, such as the processes at work. The data outlives this
    /// process, but on SQLite the commit does not wait for the disk, and a power failure may undo it together with all
    /// later writes.
    pub async fn write_relaxed<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T, E>> + Send + Sync + 'static,
    {
        refuse_nested_write()?;
        match &self.0.engine {
            DatabaseEngine::Sqlite(sqlite) => {
                sqlite.write(work, CommitDurability::ProcessCrash).await
            }
            DatabaseEngine::Postgres(postgres) => postgres.write(work).await,
        }
    }
}
