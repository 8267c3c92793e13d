//! Reads the stored events after a place, then waits for more: woken by commits, with a slow sweep behind.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use forge_api::{Event, EventType};
use forge_domain::{ProjectId, UserId};
use forge_engine::Engine;
use forge_store::tables::counters::NO_PROJECT;
use forge_store::tables::events::{self, EventRow, Head};
use forge_store::{Channel, StoreError, Subscription, Wake};
use futures::{FutureExt, Stream, stream};

use super::places::{Places, Seen};
use super::types::Types;
use crate::convert::actor::actor;
use crate::convert::time::rfc3339;
use crate::events::{EventCursor, SentEvent};

/// How many events of one project are read at once.
const BATCH: u32 = 200;
/// A wake-up can be lost; nothing stays unseen longer than this.
const SWEEP: Duration = Duration::from_secs(10);

/// Where the stream begins, and the events after what was seen, of one project or of all that the reader may see, as they come. It ends only when
/// the database does. No reader means that all may be seen.
pub(crate) async fn tail(
    engine: Engine,
    reader: Option<UserId>,
    only: Option<ProjectId>,
    types: Types,
    seen: Seen,
) -> Result<(Option<EventCursor>, impl Stream<Item = SentEvent> + Send + 'static), StoreError> {
    // Subscribed before the first look: what is committed in between is found by one of the two.
    let wakes = engine.db().subscribe(Channel::Events);
    let mut tail = Tail {
        engine,
        reader,
        only,
        types,
        places: Places::default(),
        wakes,
        ready: VecDeque::new(),
        is_behind: true,
    };
    let now = tail.heads().await?;
    tail.places = Places::begin(&seen, &now);
    let begins = EventCursor::new(tail.places.cursor());
    let events = stream::unfold(tail, |mut tail| async move {
        let event = tail.next().await?;
        Some((event, tail))
    });
    Ok((begins, events))
}

/// Where to look.
enum Look {
    Everywhere,
    At(BTreeSet<ProjectId>),
}

struct Tail {
    engine: Engine,
    reader: Option<UserId>,
    only: Option<ProjectId>,
    types: Types,
    places: Places,
    wakes: Subscription,
    ready: VecDeque<EventRow>,
    /// The last look may have left something behind that no wake-up will announce again.
    is_behind: bool,
}

impl Tail {
    async fn next(&mut self) -> Option<SentEvent> {
        loop {
            while let Some(row) = self.ready.pop_front() {
                self.places.advance(row.project_id, row.seq);
                if let Some(event) = self.sent(row) {
                    return Some(event);
                }
            }
            let look = if self.is_behind { Look::Everywhere } else { self.woken().await? };
            if let Err(error) = self.read(look).await {
                tracing::error!(%error, "an event stream ends; its reader comes back and goes on");
                return None;
            }
        }
    }

    /// Waits for a sign that there is more; `None` once the database is closed.
    async fn woken(&mut self) -> Option<Look> {
        let Ok(first) = tokio::time::timeout(SWEEP, self.wakes.next()).await else {
            return Some(Look::Everywhere);
        };
        // A burst of commits is one look.
        let mut wakes = vec![first?];
        while let Some(wake) = self.wakes.next().now_or_never() {
            wakes.push(wake?);
        }
        let about = |wake: Wake| wake.about?.parse().ok();
        let projects: Option<BTreeSet<ProjectId>> = wakes.into_iter().map(about).collect();
        // What a reader may see is found out with every look.
        let looks_anyway = self.only.is_some() || self.reader.is_some();
        let knows = |project: &ProjectId| looks_anyway || self.places.knows(*project);
        Some(match projects {
            Some(projects) if projects.iter().all(knows) => Look::At(projects),
            Some(_) | None => Look::Everywhere,
        })
    }

    async fn read(&mut self, look: Look) -> Result<(), StoreError> {
        let places = match look {
            Look::At(projects) => self.places.to_read(|project| projects.contains(&project)),
            Look::Everywhere => {
                if self.only.is_none() && self.reader.is_none() {
                    let now = self.heads().await?;
                    self.places.add_new(&now);
                }
                self.places.to_read(|_| true)
            }
        };
        let mut rows = events::after(self.engine.db(), &places, BATCH).await?;
        self.is_behind = rows.len() >= BATCH as usize;
        if self.reader.is_some() {
            // After the events: whoever may see a project now could do so when they were written.
            let now = self.heads().await?;
            self.places.keep(&now);
            self.is_behind |= self.places.add_new(&now);
            rows.retain(|row| self.places.is_ahead(row.project_id, row.seq));
        }
        self.ready.extend(rows);
        Ok(())
    }

    async fn heads(&self) -> Result<Vec<Head>, StoreError> {
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

    /// The event as clients see it; `None` if its type is not wanted.
    fn sent(&self, row: EventRow) -> Option<SentEvent> {
        let Some(kind) = EventType::parse(&row.kind) else {
            tracing::error!(kind = row.kind, "an event of a type that the API does not list");
            return None;
        };
        if !self.types.has(kind) {
            return None;
        }
        let id = self.places.cursor();
        let event = Event {
            id: id.clone(),
            project_id: (row.project_id != NO_PROJECT).then(|| row.project_id.uuid()),
            seq: u64::try_from(row.seq).unwrap_or_default(),
            kind,
            task_id: row.task_id.map(|task| task.uuid()),
            actor: actor(&row.actor),
            at: rfc3339(row.at),
            data: row.data,
        };
        match serde_json::to_value(event) {
            Ok(data) => Some(SentEvent { cursor: EventCursor::new(id), kind, data }),
            Err(error) => {
                tracing::error!(%error, "an event cannot be written");
                None
            }
        }
    }
}
