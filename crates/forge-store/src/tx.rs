use sqlx::{AssertSqlSafe, PgTransaction};

use crate::dialect::Dialect;
use crate::errors::{StoreError, from_driver};
use crate::job::Durability;
use crate::row::{DbRow, NativeRow, postgres_rows, sqlite_rows};
use crate::sqlite::Connection;
use crate::statement::Stmt;
use crate::wake::{Channel, Wake};

/// A write in progress. Everything done through it is kept together or not at all.
///
/// Once a statement has failed, nothing more can be done with it and nothing of it is kept: PostgreSQL works so, and
/// SQLite is made to, lest code that swallows an error passes on one engine only.
#[derive(Debug)]
pub struct Tx {
    conn: Conn,
    failure: Option<StoreError>,
    wakes: Vec<Wake>,
    /// How many of `wakes` belong to earlier jobs of the same group.
    earlier_wakes: usize,
}

#[derive(Debug)]
pub(crate) enum Conn {
    Sqlite(Connection),
    Postgres(PgTransaction<'static>),
}

impl Tx {
    pub(crate) fn new(conn: Conn) -> Self {
        Self { conn, failure: None, wakes: Vec::new(), earlier_wakes: 0 }
    }

    /// Which engine this is, for the few statements that must differ.
    pub fn dialect(&self) -> Dialect {
        match &self.conn {
            Conn::Sqlite(_) => Dialect::Sqlite,
            Conn::Postgres(_) => Dialect::Postgres,
        }
    }

    /// Runs a statement and says how many rows it changed.
    pub async fn execute(&mut self, statement: Stmt) -> Result<u64, StoreError> {
        self.usable()?;
        let outcome = match &mut self.conn {
            Conn::Sqlite(conn) => conn.execute(&statement),
            Conn::Postgres(conn) => match statement.into_postgres() {
                Ok(query) => query
                    .execute(&mut **conn)
                    .await
                    .map(|done| done.rows_affected())
                    .map_err(from_driver),
                Err(error) => Err(error),
            },
        };
        self.noted(outcome)
    }

    /// All rows of a query, or of a statement with RETURNING.
    pub async fn fetch_all(&mut self, statement: Stmt) -> Result<Vec<DbRow>, StoreError> {
        self.usable()?;
        let outcome = match &mut self.conn {
            Conn::Sqlite(conn) => conn.fetch(&statement, usize::MAX).map(sqlite_rows),
            Conn::Postgres(conn) => match statement.into_postgres() {
                Ok(query) => {
                    query.fetch_all(&mut **conn).await.map(postgres_rows).map_err(from_driver)
                }
                Err(error) => Err(error),
            },
        };
        self.noted(outcome)
    }

    /// The first row, if there is one.
    pub async fn fetch_optional(&mut self, statement: Stmt) -> Result<Option<DbRow>, StoreError> {
        self.usable()?;
        let outcome = match &mut self.conn {
            Conn::Sqlite(conn) => {
                conn.fetch(&statement, 1).map(|rows| rows.into_iter().next().map(NativeRow::Sqlite))
            }
            Conn::Postgres(conn) => match statement.into_postgres() {
                Ok(query) => {
                    let row = query.fetch_optional(&mut **conn).await;
                    row.map(|row| row.map(NativeRow::Postgres)).map_err(from_driver)
                }
                Err(error) => Err(error),
            },
        };
        Ok(self.noted(outcome)?.map(DbRow))
    }

    /// The first row; [`StoreError::NoRow`] if there is none, which spoils nothing.
    pub async fn fetch_one(&mut self, statement: Stmt) -> Result<DbRow, StoreError> {
        self.fetch_optional(statement).await?.ok_or(StoreError::NoRow)
    }

    /// Has subscribers of the channel woken once this write is committed, in this process and, on PostgreSQL, in
    /// all others. `about` is a short text, such as a project's id.
    pub fn wake(&mut self, channel: Channel, about: &str) {
        let wake = Wake::new(channel, about);
        if !self.wakes.iter().skip(self.earlier_wakes).any(|known| *known == wake) {
            self.wakes.push(wake);
        }
    }

    /// Several statements of this program's own, with no values: migrations.
    pub(crate) async fn batch(&mut self, text: String) -> Result<(), StoreError> {
        self.usable()?;
        let outcome = match &mut self.conn {
            Conn::Sqlite(conn) => conn.batch(&text),
            Conn::Postgres(conn) => {
                let query = sqlx::raw_sql(AssertSqlSafe(text));
                query.execute(&mut **conn).await.map(drop).map_err(from_driver)
            }
        };
        self.noted(outcome)
    }

    /// BEGIN, SAVEPOINT and the like on the one connection of SQLite, whatever failed before.
    pub(crate) fn control(&mut self, text: &'static str) -> Result<(), StoreError> {
        match &mut self.conn {
            Conn::Sqlite(conn) => conn.batch(text),
            Conn::Postgres(_) => {
                Err(StoreError::statement("PostgreSQL transactions are begun by the pool"))
            }
        }
    }

    /// What COMMIT waits for on the one connection of SQLite.
    pub(crate) fn set_durability(&self, durability: Durability) -> Result<(), StoreError> {
        match &self.conn {
            Conn::Sqlite(conn) => conn.set_durability(durability),
            Conn::Postgres(_) => {
                Err(StoreError::statement("PostgreSQL's COMMIT waits for its disk"))
            }
        }
    }

    /// A new job begins on this connection.
    pub(crate) fn start_job(&mut self) {
        self.failure = None;
        self.earlier_wakes = self.wakes.len();
    }

    /// The job's work was rolled back, so its wake-ups must not be heard.
    pub(crate) fn forget_job(&mut self) {
        self.wakes.truncate(self.earlier_wakes);
    }

    pub(crate) fn failure(&self) -> Option<&StoreError> {
        self.failure.as_ref()
    }

    pub(crate) fn wakes(&self) -> &[Wake] {
        &self.wakes
    }

    pub(crate) fn take_wakes(&mut self) -> Vec<Wake> {
        self.earlier_wakes = 0;
        std::mem::take(&mut self.wakes)
    }

    pub(crate) fn into_conn(self) -> Conn {
        self.conn
    }

    fn usable(&self) -> Result<(), StoreError> {
        match self.failure {
            None => Ok(()),
            Some(_) => Err(StoreError::Aborted),
        }
    }

    fn noted<T>(&mut self, outcome: Result<T, StoreError>) -> Result<T, StoreError> {
        if let Err(error) = &outcome {
            self.failure = Some(error.clone());
        }
        outcome
    }
}
