use std::sync::Arc;

use futures::future::BoxFuture;

use crate::dialect::Dialect;
use crate::errors::{StoreError, from_driver};
use crate::job::{Durability, refuse_nesting};
use crate::migration::{MIGRATIONS, Migration};
use crate::postgres::Postgres;
use crate::row::{DbRow, NativeRow, postgres_rows, sqlite_rows};
use crate::sqlite::Sqlite;
use crate::statement::{Stmt, stmt};
use crate::stats::{Counters, WriteStats};
use crate::tx::Tx;
use crate::url::{DatabaseUrl, Place};
use crate::wake::{Channel, Subscription, Wakes};

/// The database. Cheap to clone; all clones are the same one.
#[derive(Clone, Debug)]
pub struct Db(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    engine: Engine,
    wakes: Wakes,
    counters: Counters,
}

#[derive(Debug)]
enum Engine {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

impl Db {
    /// Connects, and brings the tables up to date: there is no `Db` whose tables are not.
    pub async fn open(url: &DatabaseUrl) -> Result<Self, StoreError> {
        Self::open_at(url, MIGRATIONS).await
    }

    /// The same with another list of migrations, to test what upgrades do.
    pub async fn open_at(url: &DatabaseUrl, migrations: &[Migration]) -> Result<Self, StoreError> {
        let wakes = Wakes::new();
        let counters = Counters::default();
        let engine = match url.place() {
            Place::Sqlite(path) => Engine::Sqlite(
                Sqlite::open(path, migrations, wakes.clone(), counters.clone()).await?,
            ),
            Place::Postgres(options) => Engine::Postgres(
                Postgres::open(options, migrations, wakes.clone(), counters.clone()).await?,
            ),
        };
        Ok(Self(Arc::new(Inner { engine, wakes, counters })))
    }

    /// Lets no more in, finishes the writes already accepted, and closes every connection.
    pub async fn close(&self) {
        match &self.0.engine {
            Engine::Sqlite(sqlite) => sqlite.close().await,
            Engine::Postgres(postgres) => postgres.close().await,
        }
    }

    /// Which engine this is.
    pub fn dialect(&self) -> Dialect {
        match &self.0.engine {
            Engine::Sqlite(_) => Dialect::Sqlite,
            Engine::Postgres(_) => Dialect::Postgres,
        }
    }

    /// The version of SQLite in this program, or of the PostgreSQL server.
    pub async fn fetch_engine_version(&self) -> Result<String, StoreError> {
        self.fetch_one(stmt(self.dialect().version_query())).await?.get("version")
    }

    /// What the write side has done so far.
    pub fn write_stats(&self) -> WriteStats {
        self.0.counters.read()
    }

    /// Hears of writes that called [`Tx::wake`], from now on.
    pub fn subscribe(&self, channel: Channel) -> Subscription {
        self.0.wakes.subscribe(channel)
    }

    /// All rows of a query. It sees every write answered before it began.
    pub async fn fetch_all(&self, statement: Stmt) -> Result<Vec<DbRow>, StoreError> {
        match &self.0.engine {
            Engine::Sqlite(sqlite) => sqlite.fetch(statement, usize::MAX).await.map(sqlite_rows),
            Engine::Postgres(postgres) => {
                let rows = statement.into_postgres()?.fetch_all(postgres.readers()?).await;
                rows.map(postgres_rows).map_err(from_driver)
            }
        }
    }

    /// The first row of a query, if there is one.
    pub async fn fetch_optional(&self, statement: Stmt) -> Result<Option<DbRow>, StoreError> {
        let row = match &self.0.engine {
            Engine::Sqlite(sqlite) => {
                let rows = sqlite.fetch(statement, 1).await?;
                rows.into_iter().next().map(NativeRow::Sqlite)
            }
            Engine::Postgres(postgres) => {
                let row = statement.into_postgres()?.fetch_optional(postgres.readers()?).await;
                row.map_err(from_driver)?.map(NativeRow::Postgres)
            }
        };
        Ok(row.map(DbRow))
    }

    /// The first row of a query; [`StoreError::NoRow`] if there is none.
    pub async fn fetch_one(&self, statement: Stmt) -> Result<DbRow, StoreError> {
        self.fetch_optional(statement).await?.ok_or(StoreError::NoRow)
    }

    /// Runs the closure in one transaction and answers once it is committed. An `Err`, a panic or a failed statement
    /// undoes all the closure did, and nothing else.
    ///
    /// Inside there is **only SQL**: on SQLite every writer waits behind this closure, and on PostgreSQL whoever wants
    /// the same rows. A caller that drops the future takes nothing with it: an accepted write runs to its end.
    ///
    /// The closure is `Fn` because PostgreSQL may choose its transaction as the loser of a deadlock, and then it runs
    /// again from the start; so what it captures is cloned or borrowed from an `Arc` inside.
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
        refuse_nesting()?;
        match &self.0.engine {
            Engine::Sqlite(sqlite) => sqlite.write(work, Durability::Power).await,
            Engine::Postgres(postgres) => postgres.write(work).await,
        }
    }

    /// The same for what matters only as long as this machine runs, such as which process is at work: it outlives this
    /// process, but on SQLite no disk is waited for, and the loss of power may undo it. Whatever is written after it
    /// stands only if it does.
    pub async fn note<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T, E>> + Send + Sync + 'static,
    {
        refuse_nesting()?;
        match &self.0.engine {
            Engine::Sqlite(sqlite) => sqlite.write(work, Durability::Process).await,
            Engine::Postgres(postgres) => postgres.write(work).await,
        }
    }
}
