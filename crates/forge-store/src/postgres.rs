use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use tokio_util::task::TaskTracker;

use crate::dialect::Dialect;
use crate::errors::{StoreError, from_driver};
use crate::job::{Work, attempt};
use crate::listener::Listener;
use crate::migrate;
use crate::migration::Migration;
use crate::statement::stmt;
use crate::stats::Counters;
use crate::tx::{Conn, Tx};
use crate::wake::Wakes;

const CONNECTIONS: u32 = 16;
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);
const CACHED_STATEMENTS: usize = 512;
/// A deadlock's loser almost always wins the second time; this many in a row mean an overloaded server.
const ATTEMPTS: u32 = 8;
const BACKOFF: Duration = Duration::from_millis(5);
/// "forge" in ASCII: the advisory lock under which nodes migrate one at a time.
const MIGRATION_LOCK: i64 = 0x66_6f_72_67_65;

#[derive(Clone, Debug)]
pub(crate) struct Postgres {
    pool: PgPool,
    /// Writes that were accepted. One may still wait for a connection, which a pool that closes would not give it.
    accepted: TaskTracker,
    listener: Listener,
    wakes: Wakes,
    counters: Counters,
}

enum Tried<T, E> {
    Ended(Result<T, E>),
    Lost,
}

impl Postgres {
    pub(crate) async fn open(
        options: &PgConnectOptions,
        migrations: &[Migration],
        wakes: Wakes,
        counters: Counters,
    ) -> Result<Self, StoreError> {
        let options =
            options.clone().application_name("forge").statement_cache_capacity(CACHED_STATEMENTS);
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .connect_with(options.clone())
            .await
            .map_err(from_driver)?;
        migrate(&pool, migrations).await?;
        let listener = Listener::start(options, wakes.clone()).await?;
        Ok(Self { pool, accepted: TaskTracker::new(), listener, wakes, counters })
    }

    /// Where to read from.
    pub(crate) fn readers(&self) -> Result<&PgPool, StoreError> {
        if self.accepted.is_closed() { Err(StoreError::Closed) } else { Ok(&self.pool) }
    }

    /// Runs in a task of its own: a caller that hangs up takes nothing with it.
    pub(crate) async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: Work<T, E>,
    {
        if self.accepted.is_closed() {
            return Err(StoreError::Closed.into());
        }
        let this = self.clone();
        let task = self.accepted.spawn(async move {
            for attempt in 1..=ATTEMPTS {
                match this.try_write(&work).await {
                    Tried::Ended(outcome) => return outcome,
                    Tried::Lost => let_winner_pass(attempt).await,
                }
            }
            Err(StoreError::Contention { attempts: ATTEMPTS }.into())
        });
        // No answer: the runtime ended the task, and with it the transaction.
        task.await.unwrap_or_else(|_| Err(StoreError::Closed.into()))
    }

    async fn try_write<T, E: From<StoreError>>(&self, work: &impl Work<T, E>) -> Tried<T, E> {
        let mut tx = match begin(&self.pool).await {
            Ok(tx) => tx,
            Err(error) => return Tried::Ended(Err(error.into())),
        };
        let outcome = attempt(work, &mut tx).await;
        if outcome.is_ok()
            && let Err(error) = self.listener.notify(&mut tx).await
        {
            return ended_by(error, tx).await;
        }
        let value = match outcome {
            Ok(value) => value,
            Err(error) => {
                let lost = matches!(tx.failure(), Some(StoreError::Contention { .. }));
                roll_back(tx).await;
                return if lost { Tried::Lost } else { Tried::Ended(Err(error)) };
            }
        };
        let wakes = tx.take_wakes();
        match commit(tx).await {
            Ok(()) => {
                self.counters.committed(1);
                wakes.into_iter().for_each(|wake| self.wakes.deliver(wake));
                Tried::Ended(Ok(value))
            }
            Err(StoreError::Contention { .. }) => Tried::Lost,
            Err(error) => {
                // It may have been committed all the same; a hint too many wakes somebody in vain, no more.
                wakes.into_iter().for_each(|wake| self.wakes.deliver(wake));
                Tried::Ended(Err(error.into()))
            }
        }
    }

    pub(crate) async fn close(&self) {
        self.accepted.close();
        self.accepted.wait().await;
        self.listener.close().await;
        self.pool.close().await;
    }
}

/// Without it the loser can snatch the row back before the winner has woken up, and they meet again.
async fn let_winner_pass(attempt: u32) {
    #[expect(
        clippy::disallowed_methods,
        reason = "another node's transaction gives no sign to wait for"
    )]
    tokio::time::sleep(BACKOFF * attempt).await;
}

async fn ended_by<T, E: From<StoreError>>(error: StoreError, tx: Tx) -> Tried<T, E> {
    roll_back(tx).await;
    match error {
        StoreError::Contention { .. } => Tried::Lost,
        error => Tried::Ended(Err(error.into())),
    }
}

async fn begin(pool: &PgPool) -> Result<Tx, StoreError> {
    let conn = pool.begin_with(Dialect::Postgres.begin()).await.map_err(from_driver)?;
    Ok(Tx::new(Conn::Postgres(conn)))
}

async fn commit(tx: Tx) -> Result<(), StoreError> {
    let Conn::Postgres(conn) = tx.into_conn() else {
        return Ok(());
    };
    conn.commit().await.map_err(|error| match from_driver(error) {
        StoreError::Unavailable { detail } => StoreError::CommitUnknown { detail },
        other => other,
    })
}

/// If it fails the connection is gone, and the server rolls back by itself.
async fn roll_back(tx: Tx) {
    if let Conn::Postgres(conn) = tx.into_conn()
        && let Err(error) = conn.rollback().await
    {
        tracing::debug!(%error, "a rollback was left to the server");
    }
}

async fn migrate(pool: &PgPool, migrations: &[Migration]) -> Result<(), StoreError> {
    let mut tx = begin(pool).await?;
    let lock = stmt("SELECT 1 AS locked FROM pg_advisory_xact_lock($1)").bind(MIGRATION_LOCK);
    tx.fetch_one(lock).await?;
    match migrate::apply(&mut tx, migrations).await {
        Ok(()) => commit(tx).await,
        Err(error) => {
            roll_back(tx).await;
            Err(error)
        }
    }
}
