//! What was seen goes on record at once, with its events: whoever dies before has seen nothing, and whoever looks again
//! finds nothing new to tell.

use crate::engine::Engine;
use crate::errors::EngineError;
use forge_domain::{Actor, ProjectId, RepoId, TaskId, Timestamp};
use forge_git::Meeting;
use forge_store::tables::{
    self,
    events::NewEvent,
    radar::{RadarHead, RadarPair},
};
use forge_store::{StoreError, Tx};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a look found.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// What was on record when it began.
    pub(super) before: Vec<RadarHead>,
    /// The branches that stand elsewhere now.
    pub(super) moved: Vec<RadarHead>,
    /// The tasks whose branches are not live any more.
    pub(super) gone: Vec<TaskId>,
    /// How the moved ones get on with the others.
    pub(super) verdicts: Vec<Verdict>,
}

impl Seen {
    pub(super) fn is_empty(&self) -> bool {
        self.moved.is_empty() && self.gone.is_empty()
    }
}

/// How two branches get on.
#[derive(Debug)]
pub(super) struct Verdict {
    tasks: [TaskId; 2],
    trees: [String; 2],
    files: Option<Vec<String>>,
}

impl Verdict {
    pub(super) fn new(one: &RadarHead, other: &RadarHead, meeting: Meeting) -> Self {
        let mut pair = [one, other];
        pair.sort_by_key(|head| head.task_id.to_string());
        let files = match meeting {
            Meeting::Clean => None,
            Meeting::Clash { files } => Some(files),
        };
        Self {
            tasks: pair.map(|head| head.task_id),
            trees: pair.map(|head| head.tree.clone()),
            files,
        }
    }
}

/// What there is to tell.
#[derive(Debug, Default)]
struct News {
    events: Vec<NewEvent>,
    detected: usize,
    cleared: usize,
}

impl News {
    fn detected(&mut self, pair: &RadarPair, now: Timestamp) {
        self.detected += 1;
        self.events.push(event("conflict.detected", pair, now));
    }

    fn cleared(&mut self, pair: &RadarPair, now: Timestamp) {
        self.cleared += 1;
        self.events.push(event("conflict.cleared", pair, now));
    }
}

fn event(kind: &str, pair: &RadarPair, at: Timestamp) -> NewEvent {
    let data = json!({
        "repo": pair.repo_id,
        "tasks": pair.tasks,
        "files": pair.files,
        "since": pair.since,
    });
    NewEvent { kind: kind.to_owned(), version: 0, at, data }
}

impl Engine {
    /// Writes it down: how many pairs began to clash and how many stopped. `None`, with nothing written, where somebody
    /// else wrote since it was begun.
    pub(super) async fn record_seen(
        &self,
        project: ProjectId,
        repo: RepoId,
        seen: Seen,
    ) -> Result<Option<(usize, usize)>, EngineError> {
        let (seen, now) = (Arc::new(seen), self.now());
        let written = self.0.db.write(move |tx| {
            let seen = seen.clone();
            Box::pin(async move { record(tx, project, repo, &seen, now).await })
        });
        Ok(written.await?)
    }
}

async fn record(
    tx: &mut Tx,
    project: ProjectId,
    repo: RepoId,
    seen: &Seen,
    now: Timestamp,
) -> Result<Option<(usize, usize)>, StoreError> {
    // From here on nobody else writes for this project.
    tables::counters::advance_events(tx, project, 0).await?;
    if tables::radar::heads_in(tx, repo).await? != seen.before {
        return Ok(None);
    }
    let rows = tables::radar::pairs_in(tx, repo).await?;
    let mut known: BTreeMap<[TaskId; 2], RadarPair> =
        rows.into_iter().map(|pair| (pair.tasks, pair)).collect();
    let mut news = News::default();
    let gone: BTreeSet<TaskId> = seen.gone.iter().copied().collect();
    for pair in known.values().filter(|pair| pair.tasks.iter().any(|task| gone.contains(task))) {
        tables::radar::remove_pair(tx, pair.tasks).await?;
        news.cleared(pair, now);
    }
    for verdict in &seen.verdicts {
        match (known.remove(&verdict.tasks), &verdict.files) {
            (None, None) => {}
            (Some(before), None) => {
                tables::radar::remove_pair(tx, before.tasks).await?;
                news.cleared(&before, now);
            }
            (before, Some(files)) => {
                let pair = RadarPair {
                    tasks: verdict.tasks,
                    project_id: project,
                    repo_id: repo,
                    trees: verdict.trees.clone(),
                    files: files.clone(),
                    since: before.as_ref().map_or(now, |before| before.since),
                };
                if before.as_ref() != Some(&pair) {
                    tables::radar::put_pair(tx, &pair).await?;
                }
                if before.is_none() {
                    news.detected(&pair, now);
                }
            }
        }
    }
    for task in &seen.gone {
        tables::radar::remove_head(tx, *task).await?;
    }
    for head in &seen.moved {
        tables::radar::put_head(tx, head).await?;
    }
    tables::events::append(tx, project, &Actor::system("radar"), None, &news.events).await?;
    Ok(Some((news.detected, news.cleared)))
}
