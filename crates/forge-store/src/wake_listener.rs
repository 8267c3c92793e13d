use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use tokio::task::JoinHandle;

use crate::statement::stmt;
use crate::store_error::{StoreError, from_sqlx};
use crate::tx::Tx;
use crate::wake::{WakeBroadcaster, WakeHint};

const CHANNEL: &str = "forge_wake";
const RECONNECT_DELAY: Duration = Duration::from_secs(1);

/// The PostgreSQL side of wake-ups: notifies other processes, and receives their notifications.
#[derive(Clone, Debug)]
pub(crate) struct WakeListener(Arc<WakeListenerInner>);

#[derive(Debug)]
struct WakeListenerInner {
    /// A pool of its own, because listening holds its connection for ever.
    pool: PgPool,
    /// Marks our own notifications, which local subscribers have already received.
    origin: String,
    task: JoinHandle<()>,
}

impl Drop for WakeListenerInner {
    fn drop(&mut self) {
        self.task.abort();
    }
}

#[derive(Serialize, Deserialize)]
struct WakeNotification {
    origin: String,
    #[serde(flatten)]
    wake: WakeHint,
}

impl WakeListener {
    /// Starts to listen; it has subscribed when it returns.
    pub(crate) async fn start(
        options: PgConnectOptions,
        wakes: WakeBroadcaster,
    ) -> Result<Self, StoreError> {
        let pool = PgPoolOptions::new()
            .max_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            .connect_lazy_with(options);
        let origin: String = sqlx::query_scalar("SELECT CAST(gen_random_uuid() AS TEXT)")
            .fetch_one(&pool)
            .await
            .map_err(from_sqlx)?;
        let listener = listen(&pool).await.map_err(from_sqlx)?;
        let task = tokio::spawn(run(pool.clone(), listener, origin.clone(), wakes));
        Ok(Self(Arc::new(WakeListenerInner { pool, origin, task })))
    }

    /// Sends the notifications inside the transaction, so that a rollback discards them.
    pub(crate) async fn notify(&self, tx: &mut Tx) -> Result<(), StoreError> {
        for wake in tx.wakes().to_vec() {
            let notification = WakeNotification { origin: self.0.origin.clone(), wake };
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

async fn run(pool: PgPool, mut listener: PgListener, origin: String, wakes: WakeBroadcaster) {
    loop {
        let error = receive_notifications(&mut listener, &origin, &wakes).await;
        drop(listener);
        tracing::warn!(%error, "lost the notification connection; reconnecting");
        listener = loop {
            if pool.is_closed() {
                return;
            }
            match listen(&pool).await {
                Ok(listener) => break listener,
                Err(error) => {
                    tracing::debug!(%error, "notification connection still unavailable")
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

/// Receives notifications until the connection breaks.
async fn receive_notifications(
    listener: &mut PgListener,
    origin: &str,
    wakes: &WakeBroadcaster,
) -> sqlx::Error {
    loop {
        match listener.try_recv().await {
            Ok(Some(notification)) => {
                match serde_json::from_str::<WakeNotification>(notification.payload()) {
                    Ok(heard) if heard.origin == origin => {}
                    Ok(heard) => wakes.deliver(heard.wake),
                    // A newer node may send unknown notifications; the periodic sweep finds the changes.
                    Err(error) => tracing::debug!(%error, "ignored an unknown notification"),
                }
            }
            // The driver has reconnected by itself, and notifications may have been lost.
            Ok(None) => wakes.deliver_everything(),
            Err(error) => return error,
        }
    }
}
