use sqlx::{AssertSqlSafe, PgTransaction};

use crate::dialect::SqlDialect;
use crate::row::{DbRow, NativeRow, postgres_rows, sqlite_rows};
use crate::sqlite::SqliteConnection;
use crate::statement::SqlStatement;
use crate::store_error::{StoreError, from_sqlx};
use crate::wake::{WakeChannel, WakeHint};
use crate::write_job::CommitDurability;

/// A write transaction. All its changes are committed together or not at all.
///
/// After a failed statement it accepts no more statements and commits nothing. PostgreSQL works so, and SQLite is made
/// to, so that code that ignores an error fails on both engines.
#[derive(Debug)]
pub struct Tx {
    conn: TxConnection,
    failure: Option<StoreError>,
    wakes: Vec<WakeHint>,
    /// How many of `wakes` belong to earlier jobs of the same group.
    earlier_wakes: usize,
}

#[derive(Debug)]
pub(crate) enum TxConnection {
    Sqlite(SqliteConnection),
    Postgres(PgTransaction<'static>),
}

impl Tx {
    pub(crate) fn new(conn: TxConnection) -> Self {
        Self { conn, failure: None, wakes: Vec::new(), earlier_wakes: 0 }
    }

    /// The SQL dialect, for the few statements that must differ.
    pub fn dialect(&self) -> SqlDialect {
        match &self.conn {
            TxConnection::Sqlite(_) => SqlDialect::Sqlite,
            TxConnection::Postgres(_) => SqlDialect::Postgres,
        }
    }

    /// Runs a statement and returns the number of changed rows.
    pub async fn execute(&mut self, statement: SqlStatement) -> Result<u64, StoreError> {
        self.check_usable()?;
        let outcome = match &mut self.conn {
            TxConnection::Sqlite(conn) => conn.execute(&statement),
            TxConnection::Postgres(conn) => match statement.into_postgres() {
                Ok(query) => query
                    .execute(&mut **conn)
                    .await
                    .map(|done| done.rows_affected())
                    .map_err(from_sqlx),
                Err(error) => Err(error),
            },
        };
        self.record_failure(outcome)
    }

    /// All rows of a query, or of a statement with RETURNING.
    pub async fn fetch_all(&mut self, statement: SqlStatement) -> Result<Vec<DbRow>, StoreError> {
        self.check_usable()?;
        let outcome = match &mut self.conn {
            TxConnection::Sqlite(conn) => conn.fetch(&statement, usize::MAX).map(sqlite_rows),
            TxConnection::Postgres(conn) => match statement.into_postgres() {
                Ok(query) => {
                    query.fetch_all(&mut **conn).await.map(postgres_rows).map_err(from_sqlx)
                }
                Err(error) => Err(error),
            },
        };
        self.record_failure(outcome)
    }

    /// The first row, if there is one.
    pub async fn fetch_optional(
        &mut self,
        statement: SqlStatement,
    ) -> Result<Option<DbRow>, StoreError> {
        self.check_usable()?;
        let outcome = match &mut self.conn {
            TxConnection::Sqlite(conn) => {
                conn.fetch(&statement, 1).map(|rows| rows.into_iter().next().map(NativeRow::Sqlite))
            }
            TxConnection::Postgres(conn) => match statement.into_postgres() {
                Ok(query) => {
                    let row = query.fetch_optional(&mut **conn).await;
                    row.map(|row| row.map(NativeRow::Postgres)).map_err(from_sqlx)
                }
                Err(error) => Err(error),
            },
        };
        Ok(self.record_failure(outcome)?.map(DbRow))
    }

    /// The first row; [`StoreError::NoRow`] if there is none, which does not fail the transaction.
    pub async fn fetch_one(&mut self, statement: SqlStatement) -> Result<DbRow, StoreError> {
        self.fetch_optional(statement).await?.ok_or(StoreError::NoRow)
    }

    /// Wakes the subscribers of the channel once this write is committed, in this process and, on PostgreSQL, in all
    /// others. `about` is a short text, such as a project's id.
    pub fn wake(&mut self, channel: WakeChannel, about: &str) {
        let wake = WakeHint::new(channel, about);
        if !self.wakes.iter().skip(self.earlier_wakes).any(|known| *known == wake) {
            self.wakes.push(wake);
        }
    }

    /// Runs several statements from the source, without values: migrations.
    pub(crate) async fn batch(&mut self, text: String) -> Result<(), StoreError> {
        self.check_usable()?;
        let outcome = match &mut self.conn {
            TxConnection::Sqlite(conn) => conn.batch(&text),
            TxConnection::Postgres(conn) => {
                let query = sqlx::raw_sql(AssertSqlSafe(text));
                query.execute(&mut **conn).await.map(drop).map_err(from_sqlx)
            }
        };
        self.record_failure(outcome)
    }

    /// Runs BEGIN, SAVEPOINT and similar statements on SQLite's writing connection, also after a failure.
    pub(crate) fn control(&mut self, text: &'static str) -> Result<(), StoreError> {
        match &mut self.conn {
            TxConnection::Sqlite(conn) => conn.batch(text),
            TxConnection::Postgres(_) => {
                Err(StoreError::statement("PostgreSQL transactions are begun by the pool"))
            }
        }
    }

    /// Sets what COMMIT waits for on SQLite's writing connection.
    pub(crate) fn set_durability(&self, durability: CommitDurability) -> Result<(), StoreError> {
        match &self.conn {
            TxConnection::Sqlite(conn) => conn.set_durability(durability),
            TxConnection::Postgres(_) => {
                Err(StoreError::statement("PostgreSQL's COMMIT waits for its disk"))
            }
        }
    }

    /// Starts a new job on this connection.
    pub(crate) fn start_job(&mut self) {
        self.failure = None;
        self.earlier_wakes = self.wakes.len();
    }

    /// Discards the wake-ups of a job that was rolled back.
    pub(crate) fn forget_job(&mut self) {
        self.wakes.truncate(self.earlier_wakes);
    }

    pub(crate) fn failure(&self) -> Option<&StoreError> {
        self.failure.as_ref()
    }

    pub(crate) fn wakes(&self) -> &[WakeHint] {
        &self.wakes
    }

    pub(crate) fn take_wakes(&mut self) -> Vec<WakeHint> {
        self.earlier_wakes = 0;
        std::mem::take(&mut self.wakes)
    }

    pub(crate) fn into_conn(self) -> TxConnection {
        self.conn
    }

    fn check_usable(&self) -> Result<(), StoreError> {
        match self.failure {
            None => Ok(()),
            Some(_) => Err(StoreError::Aborted),
        }
    }

    fn record_failure<T>(&mut self, outcome: Result<T, StoreError>) -> Result<T, StoreError> {
        if let Err(error) = &outcome {
            self.failure = Some(error.clone());
        }
        outcome
    }
}
