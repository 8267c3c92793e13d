//! Reads the stored events after a cursor, then waits for more: woken by commits, with a slow sweep as fallback.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use forge_domain::{ProjectId, UserId};
use forge_engine::Engine;
use forge_store::tables::events::{self, EventRow, SequenceHead};
use forge_store::{StoreError, WakeChannel, WakeHint, WakeSubscription};
use futures::{FutureExt, Stream, stream};

use crate::convert::event::event_view;
use crate::stream::event_type_filter::EventTypeFilter;
use crate::stream::sse::{EventCursor, SentEvent};
use crate::stream::stream_cursor::{ResumePoint, StreamCursor};

/// Events per read. A client that does not read its stream keeps this many in memory.
const BATCH: u32 = 32;
/// Fallback for lost wake-ups: no event is delayed longer than this.
const SWEEP: Duration = Duration::from_secs(10);

/// Returns the start cursor and the stream of events after it, of one project or of all projects that the reader may
/// see. The stream ends only when the database closes. Without a reader all events are visible.
pub(crate) async fn stream_events(
    engine: Engine,
    reader: Option<UserId>,
    only: Option<ProjectId>,
    types: EventTypeFilter,
    seen: ResumePoint,
) -> Result<(Option<EventCursor>, impl Stream<Item = SentEvent> + Send + 'static), StoreError> {
    // Subscribe before the first read, so that an event that is committed in between is not missed.
    let wakes = engine.db().subscribe(WakeChannel::Events);
    let mut tail = EventTail {
        engine,
        reader,
        only,
        types,
        positions: StreamCursor::default(),
        wakes,
        ready: VecDeque::new(),
        is_behind: true,
    };
    let now = tail.heads().await?;
    tail.positions = StreamCursor::begin(&seen, &now);
    let begins = EventCursor::new(tail.positions.cursor());
    let events = stream::unfold(tail, |mut tail| async move {
        let event = tail.next().await?;
        Some((event, tail))
    });
    Ok((begins, events))
}

/// The projects to read.
enum ReadScope {
    AllProjects,
    Projects(BTreeSet<ProjectId>),
}

struct EventTail {
    engine: Engine,
    reader: Option<UserId>,
    only: Option<ProjectId>,
    types: EventTypeFilter,
    positions: StreamCursor,
    wakes: WakeSubscription,
    ready: VecDeque<EventRow>,
    /// Whether the last read may have left events that no wake-up announces again.
    is_behind: bool,
}

impl EventTail {
    async fn next(&mut self) -> Option<SentEvent> {
        loop {
            while let Some(row) = self.ready.pop_front() {
                self.positions.advance(row.project_id, row.seq);
                if let Some(event) = self.to_sent_event(row) {
                    return Some(event);
                }
            }
            let look =
                if self.is_behind { ReadScope::AllProjects } else { self.wait_for_wake().await? };
            if let Err(error) = self.read(look).await {
                tracing::error!(%error, "event stream ended with an error; the client reconnects");
                return None;
            }
        }
    }

    /// Waits for a wake-up; `None` once the database is closed.
    async fn wait_for_wake(&mut self) -> Option<ReadScope> {
        let Ok(first) = tokio::time::timeout(SWEEP, self.wakes.next()).await else {
            return Some(ReadScope::AllProjects);
        };
        // Combine a burst of commits into one read.
        let mut wakes = vec![first?];
        while let Some(wake) = self.wakes.next().now_or_never() {
            wakes.push(wake?);
        }
        let about = |wake: WakeHint| wake.about?.parse().ok();
        let projects: Option<BTreeSet<ProjectId>> = wakes.into_iter().map(about).collect();
        // The read checks what a reader may see anyway.
        let looks_anyway = self.only.is_some() || self.reader.is_some();
        let knows = |project: &ProjectId| looks_anyway || self.positions.contains_project(*project);
        Some(match projects {
            Some(projects) if projects.iter().all(knows) => ReadScope::Projects(projects),
            Some(_) | None => ReadScope::AllProjects,
        })
    }

    async fn read(&mut self, look: ReadScope) -> Result<(), StoreError> {
        let places = match look {
            ReadScope::Projects(projects) => {
                self.positions.read_positions(|project| projects.contains(&project))
            }
            ReadScope::AllProjects => {
                if self.only.is_none() && self.reader.is_none() {
                    let now = self.heads().await?;
                    self.positions.add_visible(&now);
                }
                self.positions.read_positions(|_| true)
            }
        };
        let mut rows = events::after(self.engine.db(), &places, BATCH).await?;
        self.is_behind = rows.len() >= BATCH as usize;
        // The limit applies per project; the remaining rows are read again later.
        rows.truncate(BATCH as usize);
        if self.reader.is_some() {
            // Check after reading the events: a reader who may see a project now could see it when they were written.
            let now = self.heads().await?;
            self.positions.retain_visible(&now);
            self.is_behind |= self.positions.add_visible(&now);
            rows.retain(|row| self.positions.is_unsent(row.project_id, row.seq));
        }
        self.ready.extend(rows);
        Ok(())
    }

    async fn heads(&self) -> Result<Vec<SequenceHead>, StoreError> {
        let db = self.engine.db();
        let mut all = match self.reader {
            None => events::heads(db).await?,
            Some(user) => events::heads_of_member(db, user).await?,
        };
        if let Some(only) = self.only {
            all.retain(|head| head.project_id == only);
        }
        Ok(all)
    }

    /// Converts the event; `None` if its type is filtered out.
    fn to_sent_event(&self, row: EventRow) -> Option<SentEvent> {
        let id = self.positions.cursor();
        let event = event_view(row, id.clone())?;
        let kind = event.kind;
        if !self.types.allows(kind) {
            return None;
        }
        match serde_json::to_value(event) {
            Ok(data) => Some(SentEvent { cursor: EventCursor::new(id), kind, data }),
            Err(error) => {
                tracing::error!(%error, "failed to serialize an event");
                None
            }
        }
    }
}
