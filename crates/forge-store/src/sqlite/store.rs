use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use crate::migrate;
use crate::migration::SchemaMigration;
use crate::sqlite::connection::{ConnectionAccess, SqliteConnection};
use crate::sqlite::readers::ReaderPool;
use crate::sqlite::row::SqliteRow;
use crate::sqlite::sqlite_error::{from_sqlite, is_busy};
use crate::sqlite::writer::{SqliteWriter, WriterMessage};
use crate::statement::SqlStatement;
use crate::store_error::StoreError;
use crate::tx::{Tx, TxConnection};
use crate::wake::WakeBroadcaster;
use crate::write_job::{CommitDurability, WriteClosure, WriteJob};
use crate::write_stats::WriteCounters;

/// How long two processes that open the same new database wait for each other.
const PATIENCE: Duration = Duration::from_secs(10);
const TRY_AGAIN: Duration = Duration::from_millis(10);

#[derive(Debug)]
pub(crate) struct SqliteStore {
    path: PathBuf,
    readers: ReaderPool,
    queue: mpsc::Sender<WriterMessage>,
}

/// Options to open the writing connection, also after it was lost.
pub(crate) struct WriterOptions(PathBuf);

impl WriterOptions {
    pub(crate) async fn connect(&self) -> Result<SqliteConnection, StoreError> {
        open(&self.0, ConnectionAccess::Write { foreign_keys: true }).await
    }
}

impl SqliteStore {
    pub(crate) async fn open(
        path: &Path,
        migrations: &[SchemaMigration],
        wakes: WakeBroadcaster,
        counters: WriteCounters,
    ) -> Result<Self, StoreError> {
        migrate(path, migrations).await?;
        let options = WriterOptions(path.to_owned());
        let connection = options.connect().await?;
        let queue = SqliteWriter::start(options, connection, wakes, counters)?;
        Ok(Self { path: path.to_owned(), readers: ReaderPool::new(path.to_owned()), queue })
    }

    /// The rows of a query, up to `most`.
    pub(crate) async fn fetch(
        &self,
        statement: SqlStatement,
        most: usize,
    ) -> Result<Vec<SqliteRow>, StoreError> {
        self.readers.read(move |connection| connection.fetch(&statement, most)).await
    }

    /// Writes a copy of the database as of now to a new file. `VACUUM INTO` reads in one transaction of its own
    /// connection, so it neither waits for writers nor blocks them, and it refuses a file that has content.
    pub(crate) async fn back_up_to(&self, path: &Path) -> Result<(), StoreError> {
        let (database, copy) = (self.path.clone(), path.to_owned());
        let copying = tokio::task::spawn_blocking(move || {
            let connection =
                SqliteConnection::open(&database, ConnectionAccess::Read).map_err(from_sqlite)?;
            connection.copy_into(&copy)?;
            connection.close()
        });
        // No answer only if the runtime ends.
        copying.await.unwrap_or(Err(StoreError::Closed))
    }

    pub(crate) async fn write<T, E, F>(&self, work: F, durability: CommitDurability) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: WriteClosure<T, E>,
    {
        let (job, answer) = WriteJob::new(work, durability);
        if self.queue.send(WriterMessage::Write(Box::new(job))).await.is_err() {
            return Err(StoreError::Closed.into());
        }
        // No answer: the writer and its transaction are gone.
        answer.await.unwrap_or_else(|_| Err(StoreError::Closed.into()))
    }

    pub(crate) async fn close(&self) {
        self.readers.close().await;
        let (closed, wait) = oneshot::channel();
        if self.queue.send(WriterMessage::Close(closed)).await.is_ok() {
            let _ = wait.await;
        }
    }
}

async fn open(path: &Path, access: ConnectionAccess) -> Result<SqliteConnection, StoreError> {
    let mut tries = tokio::time::interval(TRY_AGAIN);
    let deadline = tokio::time::Instant::now() + PATIENCE;
    loop {
        tries.tick().await;
        let error = match SqliteConnection::open(path, access) {
            Ok(connection) => return Ok(connection),
            // Two processes that create a database at once block each other, and SQLite's busy timeout does not apply.
            Err(error) if is_busy(&error) && tokio::time::Instant::now() < deadline => continue,
            Err(error) => error,
        };
        return Err(match from_sqlite(error) {
            StoreError::Unavailable { detail } => {
                StoreError::unavailable(format!("{}: {detail}", path.display()))
            }
            other => other,
        });
    }
}

/// Migrates on a separate connection with foreign keys off, because SQLite cannot rebuild a table otherwise. The keys
/// are checked before the commit instead.
async fn migrate(path: &Path, migrations: &[SchemaMigration]) -> Result<(), StoreError> {
    let connection = open(path, ConnectionAccess::Write { foreign_keys: false }).await?;
    let mut tx = Tx::new(TxConnection::Sqlite(connection));
    tx.control(crate::dialect::SqlDialect::Sqlite.begin())?;
    let done = match migrate::apply(&mut tx, migrations).await {
        Ok(()) => migrate::check_references(&mut tx).await,
        Err(error) => Err(error),
    };
    match done {
        Ok(()) => tx.control("COMMIT")?,
        Err(_) => tx.control("ROLLBACK")?,
    }
    if let TxConnection::Sqlite(connection) = tx.into_conn() {
        connection.close()?;
    }
    done
}
