use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use tokio::task::JoinHandle;

use crate::errors::{StoreError, from_driver};
use crate::statement::stmt;
use crate::tx::Tx;
use crate::wake::{Wake, Wakes};

const CHANNEL: &str = "forge_wake";
const RECONNECT_DELAY: Duration = Duration::from_secs(1);

/// The PostgreSQL side of wake-ups: tells other processes, and hears from them.
#[derive(Clone, Debug)]
pub(crate) struct Listener(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// A connection of its own: listening holds it for ever.
    pool: PgPool,
    /// Marks our own notifications, which subscribers here have had already.
    origin: String,
    task: JoinHandle<()>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.task.abort();
    }
}

#[derive(Serialize, Deserialize)]
struct Notification {
    origin: String,
    #[serde(flatten)]
    wake: Wake,
}

impl Listener {
    /// Listens from when it returns.
    pub(crate) async fn start(options: PgConnectOptions, wakes: Wakes) -> Result<Self, StoreError> {
        let pool = PgPoolOptions::new()
            .max_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            .connect_lazy_with(options);
        let origin: String = sqlx::query_scalar("SELECT CAST(gen_random_uuid() AS TEXT)")
            .fetch_one(&pool)
            .await
            .map_err(from_driver)?;
        let listener = listen(&pool).await.map_err(from_driver)?;
        let task = tokio::spawn(run(pool.clone(), listener, origin.clone(), wakes));
        Ok(Self(Arc::new(Inner { pool, origin, task })))
    }

    /// Inside the transaction, so that a rollback silences it.
    pub(crate) async fn notify(&self, tx: &mut Tx) -> Result<(), StoreError> {
        for wake in tx.wakes().to_vec() {
            let notification = Notification { origin: self.0.origin.clone(), wake };
            let payload = serde_json::to_string(&notification).map_err(StoreError::statement)?;
            tx.execute(stmt("SELECT pg_notify($1, $2)").bind(CHANNEL).bind(payload)).await?;
        }
        Ok(())
    }

    pub(crate) async fn close(&self) {
        self.0.pool.close().await;
    }
}

async fn listen(pool: &PgPool) -> Result<PgListener, sqlx::Error> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.listen(CHANNEL).await?;
    Ok(listener)
}

async fn run(pool: PgPool, mut listener: PgListener, origin: String, wakes: Wakes) {
    loop {
        let error = hear(&mut listener, &origin, &wakes).await;
        drop(listener);
        tracing::warn!(%error, "lost the connection that hears from other nodes; reconnecting");
        listener = loop {
            if pool.is_closed() {
                return;
            }
            match listen(&pool).await {
                Ok(listener) => break listener,
                Err(error) => {
                    tracing::debug!(%error, "still no connection to hear from other nodes")
                }
            }
            #[expect(
                clippy::disallowed_methods,
                reason = "there is no event to wait for: the server is away"
            )]
            tokio::time::sleep(RECONNECT_DELAY).await;
        };
        wakes.deliver_everything();
    }
}

/// Hears until the connection cannot be kept.
async fn hear(listener: &mut PgListener, origin: &str, wakes: &Wakes) -> sqlx::Error {
    loop {
        match listener.try_recv().await {
            Ok(Some(notification)) => {
                match serde_json::from_str::<Notification>(notification.payload()) {
                    Ok(heard) if heard.origin == origin => {}
                    Ok(heard) => wakes.deliver(heard.wake),
                    // A newer node may speak of things that are not known here; the sweep finds what matters.
                    Err(error) => tracing::debug!(%error, "did not understand a notification"),
                }
            }
            // The driver has reconnected by itself, and something may have been said meanwhile.
            Ok(None) => wakes.deliver_everything(),
            Err(error) => return error,
        }
    }
}
