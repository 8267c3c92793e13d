//! The events of an execution's log: stored events first, then new ones.

use std::collections::VecDeque;
use std::time::Duration;

use axum::response::sse::Event;
use forge_domain::ExecutionId;
use forge_engine::{Engine, EngineError, TranscriptRange};
use forge_store::tables::executions::{self, ExecutionRowStatus};
use forge_store::{WakeChannel, WakeSubscription};
use futures::{Stream, stream};

/// Events per read. A client that does not read its stream keeps this many in memory.
const BATCH: usize = 32;
/// Fallback for lost wake-ups; executions of another node send none.
const SWEEP: Duration = Duration::from_secs(5);

/// Streams the events after a number; ends when the execution is over and all events are sent.
pub(crate) fn stream_log_events(
    engine: Engine,
    execution: ExecutionId,
    after: u64,
) -> impl Stream<Item = Event> + Send + 'static {
    // Subscribe before the first read, so that an end that is committed in between is not missed.
    let wakes = engine.db().subscribe(WakeChannel::Events);
    let tail = LogTail { engine, execution, after, wakes, ready: VecDeque::new(), over: false };
    stream::unfold(tail, |mut tail| async move {
        let event = tail.next().await?;
        Some((event, tail))
    })
}

struct LogTail {
    engine: Engine,
    execution: ExecutionId,
    after: u64,
    wakes: WakeSubscription,
    ready: VecDeque<String>,
    over: bool,
}

impl LogTail {
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(line) = self.ready.pop_front() {
                self.after += 1;
                return Some(self.event("log").data(line));
            }
            if self.over {
                return None;
            }
            match self.read_or_wait().await {
                Ok(true) => {
                    return Some(self.event("end").data("{}"));
                }
                Ok(false) => {}
                Err(error) => {
                    tracing::error!(%error, "log stream ended with an error; the client reconnects");
                    return None;
                }
            }
        }
    }

    /// An event that a client can resume after.
    fn event(&self, name: &str) -> Event {
        Event::default().id(self.after.to_string()).event(name)
    }

    /// Reads more events or waits for a wake-up; `true` when the execution is over and nothing is left.
    async fn read_or_wait(&mut self) -> Result<bool, EngineError> {
        let grows = self.engine.transcripts().subscribe_log_events(self.execution);
        // Load the row before the events: if the execution is over now, all its events are written.
        let row = executions::load(self.engine.db(), self.execution).await?;
        let part = TranscriptRange::After(self.after);
        let page = self.engine.transcripts().read_events(self.execution, part, BATCH).await?;
        self.ready.extend(page.events);
        if !self.ready.is_empty() {
            return Ok(false);
        }
        self.over = row.is_none_or(|row| row.status == ExecutionRowStatus::Finished);
        if self.over {
            return Ok(true);
        }
        let last = self.after;
        let more = async {
            match grows {
                // Events may have been written before the subscription, so compare the number.
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
        // A timeout is a reason to read again, not an error.
        tokio::time::timeout(SWEEP, sign).await.ok();
        Ok(false)
    }
}
