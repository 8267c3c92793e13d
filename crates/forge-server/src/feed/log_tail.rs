//! The events of a run's log as they come: what is written, then what is being written.

use std::collections::VecDeque;
use std::time::Duration;

use bytes::Bytes;
use forge_domain::ExecutionId;
use forge_engine::{Engine, EngineError, EventPart};
use forge_store::tables::executions::{self, ExecutionStatus};
use forge_store::{Channel, Subscription};
use futures::{Stream, stream};

/// How many events are read at once.
const BATCH: usize = 200;
/// A wake-up can be lost, and a run of another node gives none.
const SWEEP: Duration = Duration::from_secs(5);

/// The events after a number, encoded for the wire; ends when the run is over and all of them are sent.
pub(crate) fn log_tail(
    engine: Engine,
    execution: ExecutionId,
    after: u64,
) -> impl Stream<Item = Bytes> + Send + 'static {
    // Subscribed before the first look: an end that is committed in between is found by one of the two.
    let wakes = engine.db().subscribe(Channel::Events);
    let tail = Tail { engine, execution, after, wakes, ready: VecDeque::new(), over: false };
    stream::unfold(tail, |mut tail| async move {
        let chunk = tail.next().await?;
        Some((chunk, tail))
    })
}

struct Tail {
    engine: Engine,
    execution: ExecutionId,
    after: u64,
    wakes: Subscription,
    ready: VecDeque<String>,
    over: bool,
}

impl Tail {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(line) = self.ready.pop_front() {
                self.after += 1;
                let after = self.after;
                return Some(Bytes::from(format!("id: {after}\nevent: log\ndata: {line}\n\n")));
            }
            if self.over {
                return None;
            }
            match self.look().await {
                Ok(true) => {
                    let after = self.after;
                    return Some(Bytes::from(format!("id: {after}\nevent: end\ndata: {{}}\n\n")));
                }
                Ok(false) => {}
                Err(error) => {
                    tracing::error!(%error, "a log's stream ends; its reader comes back and goes on");
                    return None;
                }
            }
        }
    }

    /// Reads on, or waits for a sign that there is more; true when the run is over and nothing is left.
    async fn look(&mut self) -> Result<bool, EngineError> {
        let grows = self.engine.events_grow(self.execution);
        // Before the events: what is over by now is written by now.
        let row = executions::load(self.engine.db(), self.execution).await?;
        let part = EventPart::After(self.after);
        let page = self.engine.read_events(self.execution, part, BATCH).await?;
        self.ready.extend(page.events);
        if !self.ready.is_empty() {
            return Ok(false);
        }
        self.over = row.is_none_or(|row| row.status == ExecutionStatus::Finished);
        if self.over {
            return Ok(true);
        }
        let last = self.after;
        let more = async {
            match grows {
                // What was written before the look counts too, so the number is compared.
                Some(mut grows) => {
                    if grows.wait_for(|written| *written > last).await.is_err() {
                        std::future::pending::<()>().await;
                    }
                }
                None => std::future::pending().await,
            }
        };
        let sign = async {
            tokio::select! {
                () = more => {}
                _ = self.wakes.next() => {}
            }
        };
        // Silence for long is a reason to look, not an error.
        tokio::time::timeout(SWEEP, sign).await.ok();
        Ok(false)
    }
}
