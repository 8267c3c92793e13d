use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::sync::oneshot;

use crate::errors::StoreError;
use crate::tx::Tx;

/// The closure of a write; an alias, so that its bounds are written once.
pub(crate) trait Work<T, E>:
    for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T, E>> + Send + Sync + 'static
{
}

impl<T, E, F> Work<T, E> for F where
    F: for<'t> Fn(&'t mut Tx) -> BoxFuture<'t, Result<T, E>> + Send + Sync + 'static
{
}

tokio::task_local! {
    static INSIDE_A_WRITE: ();
}

/// A write inside a write would wait for itself on SQLite, for ever.
pub(crate) fn refuse_nesting() -> Result<(), StoreError> {
    match INSIDE_A_WRITE.try_with(|()| ()) {
        Ok(()) => Err(StoreError::statement(
            "a write was begun inside another write; use the transaction at hand",
        )),
        Err(_) => Ok(()),
    }
}

/// Runs the closure once. A panic and a swallowed statement error come out as errors; the caller rolls back on any.
pub(crate) async fn attempt<T, E: From<StoreError>>(
    work: &impl Work<T, E>,
    tx: &mut Tx,
) -> Result<T, E> {
    let run =
        INSIDE_A_WRITE.scope((), AssertUnwindSafe(async { work(&mut *tx).await }).catch_unwind());
    match run.await {
        Err(_) => Err(StoreError::Panicked.into()),
        Ok(Ok(_)) if tx.failure().is_some() => Err(StoreError::Aborted.into()),
        Ok(outcome) => outcome,
    }
}

/// What a COMMIT of SQLite waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Durability {
    /// The next one that waits for the disk: it outlives this process, not the loss of power.
    Process,
    /// The disk.
    Power,
}

/// A write on its way through the SQLite writer, with its types forgotten so that jobs of different types can share
/// a transaction.
pub(crate) trait Job: Send {
    /// What its answer promises.
    fn durability(&self) -> Durability;

    /// Does the work; false if it must be rolled back.
    fn run<'t>(&'t mut self, tx: &'t mut Tx) -> BoxFuture<'t, bool>;

    /// Answers whoever waits, now that the shared transaction has ended.
    fn answer(self: Box<Self>, ended: Result<(), StoreError>);
}

pub(crate) struct WriteJob<T, E, F> {
    work: F,
    durability: Durability,
    outcome: Option<Result<T, E>>,
    reply: oneshot::Sender<Result<T, E>>,
}

impl<T, E, F> WriteJob<T, E, F> {
    pub(crate) fn new(work: F, durability: Durability) -> (Self, oneshot::Receiver<Result<T, E>>) {
        let (reply, answer) = oneshot::channel();
        let job = Self { work, durability, outcome: None, reply };
        (job, answer)
    }
}

impl<T, E, F> Job for WriteJob<T, E, F>
where
    T: Send + 'static,
    E: From<StoreError> + Send + 'static,
    F: Work<T, E>,
{
    fn durability(&self) -> Durability {
        self.durability
    }

    fn run<'t>(&'t mut self, tx: &'t mut Tx) -> BoxFuture<'t, bool> {
        Box::pin(async move {
            let outcome = attempt(&self.work, tx).await;
            let keep = outcome.is_ok();
            self.outcome = Some(outcome);
            keep
        })
    }

    fn answer(self: Box<Self>, ended: Result<(), StoreError>) {
        let outcome = match (ended, self.outcome) {
            (Ok(()), Some(outcome)) => outcome,
            (Ok(()), None) => Err(StoreError::Closed.into()),
            // Also for a job that refused by itself: what it saw of the others' work is gone.
            (Err(error), _) => Err(error.into()),
        };
        // The caller may have hung up; the write stands all the same.
        let _ = self.reply.send(outcome);
    }
}
