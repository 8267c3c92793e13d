use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, SqliteConnection, SqlitePool};
use tokio::sync::{mpsc, oneshot};

use crate::errors::{StoreError, from_driver};
use crate::job::{Work, WriteJob};
use crate::migrate;
use crate::migration::Migration;
use crate::stats::Counters;
use crate::tx::{Conn, Tx};
use crate::wake::Wakes;
use crate::writer::{Message, Writer};

/// Readers do not wait for each other or for the writer; more of them than cores would only take memory.
const READERS: u32 = 4;
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
const TRY_AGAIN: Duration = Duration::from_millis(10);
const CACHED_STATEMENTS: usize = 512;

#[derive(Debug)]
pub(crate) struct Sqlite {
    pub(crate) readers: SqlitePool,
    queue: mpsc::Sender<Message>,
}

/// How the one writing connection is made; also after it was lost.
pub(crate) struct WriterOptions(PathBuf);

impl WriterOptions {
    pub(crate) async fn connect(&self) -> Result<SqliteConnection, StoreError> {
        open(&self.0, |options| options.foreign_keys(true)).await
    }
}

impl Sqlite {
    pub(crate) async fn open(
        path: &Path,
        migrations: &[Migration],
        wakes: Wakes,
        counters: Counters,
    ) -> Result<Self, StoreError> {
        migrate(path, migrations).await?;
        let options = WriterOptions(path.to_owned());
        let conn = options.connect().await?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            // A file in this process does not go away like a network peer.
            .test_before_acquire(false)
            .connect_lazy_with(common(path).read_only(true));
        Ok(Self { readers, queue: Writer::start(options, conn, wakes, counters) })
    }

    pub(crate) async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: Work<T, E>,
    {
        let (job, answer) = WriteJob::new(work);
        if self.queue.send(Message::Write(Box::new(job))).await.is_err() {
            return Err(StoreError::Closed.into());
        }
        // No answer: the runtime ended the writer, and with it the transaction.
        answer.await.unwrap_or_else(|_| Err(StoreError::Closed.into()))
    }

    pub(crate) async fn close(&self) {
        self.readers.close().await;
        let (closed, wait) = oneshot::channel();
        if self.queue.send(Message::Close(closed)).await.is_ok() {
            let _ = wait.await;
        }
    }
}

fn common(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .busy_timeout(BUSY_TIMEOUT)
        .statement_cache_capacity(CACHED_STATEMENTS)
}

async fn open(
    path: &Path,
    set: impl FnOnce(SqliteConnectOptions) -> SqliteConnectOptions,
) -> Result<SqliteConnection, StoreError> {
    let options = common(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full);
    let options = set(options);
    let mut tries = tokio::time::interval(TRY_AGAIN);
    let deadline = tokio::time::Instant::now() + BUSY_TIMEOUT;
    loop {
        tries.tick().await;
        let error = match options.connect().await {
            Ok(connection) => return Ok(connection),
            // Two that open a new database at once stand in each other's way, and SQLite waits for neither.
            Err(error) if is_busy(&error) && tokio::time::Instant::now() < deadline => continue,
            Err(error) => error,
        };
        return Err(match from_driver(error) {
            StoreError::Unavailable { detail } => {
                StoreError::unavailable(format!("{}: {detail}", path.display()))
            }
            other => other,
        });
    }
}

fn is_busy(error: &sqlx::Error) -> bool {
    error.as_database_error().and_then(|error| error.code()).as_deref() == Some("5")
}

/// On a connection of its own with foreign keys off, the only way in which SQLite can rebuild a table; they are
/// checked before the commit instead.
async fn migrate(path: &Path, migrations: &[Migration]) -> Result<(), StoreError> {
    let conn = open(path, |options| options.foreign_keys(false)).await?;
    let mut tx = Tx::new(Conn::Sqlite(conn));
    tx.control(crate::dialect::Dialect::Sqlite.begin()).await?;
    let done = match migrate::apply(&mut tx, migrations).await {
        Ok(()) => migrate::check_references(&mut tx).await,
        Err(error) => Err(error),
    };
    match done {
        Ok(()) => tx.control("COMMIT").await?,
        Err(_) => tx.control("ROLLBACK").await?,
    }
    if let Conn::Sqlite(conn) = tx.into_conn() {
        sqlx::Connection::close(conn).await.map_err(from_driver)?;
    }
    done
}
