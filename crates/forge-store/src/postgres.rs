use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use tokio_util::task::TaskTracker;

use crate::dialect::SqlDialect;
use crate::migrate;
use crate::migration::SchemaMigration;
use crate::statement::stmt;
use crate::store_error::{StoreError, from_sqlx};
use crate::tx::{Tx, TxConnection};
use crate::wake::WakeBroadcaster;
use crate::wake_listener::WakeListener;
use crate::write_job::{WriteClosure, run_closure};
use crate::write_stats::WriteCounters;

const CONNECTIONS: u32 = 16;
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);
const CACHED_STATEMENTS: usize = 512;
/// The loser of a deadlock almost always succeeds the second time; this many failures in a row mean an overloaded
/// server.
const ATTEMPTS: u32 = 8;
const BACKOFF: Duration = Duration::from_millis(5);
/// "forge" in ASCII: the advisory lock under which nodes migrate one at a time.
const MIGRATION_LOCK: i64 = 0x66_6f_72_67_65;

#[derive(Clone, Debug)]
pub(crate) struct PostgresStore {
    pool: PgPool,
    /// Accepted writes. One may still wait for a connection, which a closing pool would not give it.
    accepted: TaskTracker,
    listener: WakeListener,
    wakes: WakeBroadcaster,
    counters: WriteCounters,
}

enum WriteAttempt<T, E> {
    Completed(Result<T, E>),
    Deadlocked,
}

impl PostgresStore {
    pub(crate) async fn open(
        options: &PgConnectOptions,
        migrations: &[SchemaMigration],
        wakes: WakeBroadcaster,
        counters: WriteCounters,
    ) -> Result<Self, StoreError> {
        let options =
            options.clone().application_name("forge").statement_cache_capacity(CACHED_STATEMENTS);
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .connect_with(options.clone())
            .await
            .map_err(from_sqlx)?;
        migrate(&pool, migrations).await?;
        let listener = WakeListener::start(options, wakes.clone()).await?;
        Ok(Self { pool, accepted: TaskTracker::new(), listener, wakes, counters })
    }

    /// The pool for reads.
    pub(crate) fn readers(&self) -> Result<&PgPool, StoreError> {
        if self.accepted.is_closed() { Err(StoreError::Closed) } else { Ok(&self.pool) }
    }

    /// Runs the write in its own task, so that it continues if the caller is gone.
    pub(crate) async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: WriteClosure<T, E>,
    {
        if self.accepted.is_closed() {
            return Err(StoreError::Closed.into());
        }
        let this = self.clone();
        let task = self.accepted.spawn(async move {
            for attempt in 1..=ATTEMPTS {
                match this.try_write(&work).await {
                    WriteAttempt::Completed(outcome) => return outcome,
                    WriteAttempt::Deadlocked => back_off(attempt).await,
                }
            }
            Err(StoreError::Contention { attempts: ATTEMPTS }.into())
        });
        // No answer: the runtime ended the task and its transaction.
        task.await.unwrap_or_else(|_| Err(StoreError::Closed.into()))
    }

    async fn try_write<T, E: From<StoreError>>(
        &self,
        work: &impl WriteClosure<T, E>,
    ) -> WriteAttempt<T, E> {
        let mut tx = match begin(&self.pool).await {
            Ok(tx) => tx,
            Err(error) => return WriteAttempt::Completed(Err(error.into())),
        };
        let outcome = run_closure(work, &mut tx).await;
        if outcome.is_ok()
            && let Err(error) = self.listener.notify(&mut tx).await
        {
            return end_with_error(error, tx).await;
        }
        let value = match outcome {
            Ok(value) => value,
            Err(error) => {
                let lost = matches!(tx.failure(), Some(StoreError::Contention { .. }));
                roll_back(tx).await;
                return if lost {
                    WriteAttempt::Deadlocked
                } else {
                    WriteAttempt::Completed(Err(error))
                };
            }
        };
        let wakes = tx.take_wakes();
        match commit(tx).await {
            Ok(()) => {
                self.counters.add_commit(1);
                wakes.into_iter().for_each(|wake| self.wakes.deliver(wake));
                WriteAttempt::Completed(Ok(value))
            }
            Err(StoreError::Contention { .. }) => WriteAttempt::Deadlocked,
            Err(error) => {
                // It may have been committed anyway; an unneeded wake-up does no harm.
                wakes.into_iter().for_each(|wake| self.wakes.deliver(wake));
                WriteAttempt::Completed(Err(error.into()))
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

/// Waits before the next attempt. Otherwise the loser could take the row again before the winner has woken up, and both
/// would deadlock again.
async fn back_off(attempt: u32) {
    #[expect(
        clippy::disallowed_methods,
        reason = "another node's transaction gives no sign to wait for"
    )]
    tokio::time::sleep(BACKOFF * attempt).await;
}

async fn end_with_error<T, E: From<StoreError>>(error: StoreError, tx: Tx) -> WriteAttempt<T, E> {
    roll_back(tx).await;
    match error {
        StoreError::Contention { .. } => WriteAttempt::Deadlocked,
        error => WriteAttempt::Completed(Err(error.into())),
    }
}

async fn begin(pool: &PgPool) -> Result<Tx, StoreError> {
    let conn = pool.begin_with(SqlDialect::Postgres.begin()).await.map_err(from_sqlx)?;
    Ok(Tx::new(TxConnection::Postgres(conn)))
}

async fn commit(tx: Tx) -> Result<(), StoreError> {
    let TxConnection::Postgres(conn) = tx.into_conn() else {
        return Ok(());
    };
    conn.commit().await.map_err(|error| match from_sqlx(error) {
        StoreError::Unavailable { detail } => StoreError::CommitUnknown { detail },
        other => other,
    })
}

/// If the rollback fails, the connection is gone and the server rolls back by itself.
async fn roll_back(tx: Tx) {
    if let TxConnection::Postgres(conn) = tx.into_conn()
        && let Err(error) = conn.rollback().await
    {
        tracing::debug!(%error, "rollback failed; the server rolls back");
    }
}

async fn migrate(pool: &PgPool, migrations: &[SchemaMigration]) -> Result<(), StoreError> {
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
