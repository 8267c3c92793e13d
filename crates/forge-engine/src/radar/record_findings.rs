//! Stores the findings of a pass with their events in one transaction: after a crash before it nothing has changed, and
//! a repeated pass finds nothing new to report.

use crate::command::errors::EngineError;
use crate::command::event_log::append_events;
use crate::radar::check_branches::Radar;
use forge_domain::{Actor, ProjectId, RepoId, TaskId, Timestamp};
use forge_git::PairResult;
use forge_store::tables::{
    self,
    events::NewEvent,
    radar::{RadarHead, RadarPair, RadarTargetConflict},
};
use forge_store::{StoreError, Tx};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The findings of a radar pass.
#[derive(Debug, Default)]
pub(crate) struct RadarFindings {
    /// The recorded branches at the start of the pass.
    pub(crate) before: Vec<RadarHead>,
    /// Branches that moved.
    pub(crate) moved: Vec<RadarHead>,
    /// Tasks whose branches are no longer live.
    pub(crate) gone: Vec<TaskId>,
    /// Results for the moved branches with all others.
    pub(crate) verdicts: Vec<PairFinding>,
    /// The files in conflict with each branch's target; `None` if the two merge.
    pub(crate) targets: BTreeMap<TaskId, Option<Vec<String>>>,
}

impl RadarFindings {
    pub(crate) fn is_empty(&self) -> bool {
        self.moved.is_empty() && self.gone.is_empty()
    }
}

/// The result of one pair.
#[derive(Debug)]
pub(crate) struct PairFinding {
    tasks: [TaskId; 2],
    trees: [String; 2],
    files: Option<Vec<String>>,
}

impl PairFinding {
    pub(crate) fn new(one: &RadarHead, other: &RadarHead, meeting: PairResult) -> Self {
        let mut pair = [one, other];
        pair.sort_by_key(|head| head.task_id.to_string());
        let files = match meeting {
            PairResult::Clean => None,
            PairResult::Conflict { files } => Some(files),
        };
        Self {
            tasks: pair.map(|head| head.task_id),
            trees: pair.map(|head| head.tree.clone()),
            files,
        }
    }
}

/// The events to append.
#[derive(Debug, Default)]
struct ConflictEvents {
    events: Vec<NewEvent>,
    detected: usize,
    cleared: usize,
}

impl ConflictEvents {
    fn detected(&mut self, pair: &RadarPair, now: Timestamp) {
        self.detected += 1;
        self.events.push(event("conflict.detected", pair, now));
    }

    fn cleared(&mut self, pair: &RadarPair, now: Timestamp) {
        self.cleared += 1;
        self.events.push(event("conflict.cleared", pair, now));
    }

    /// Adds an event if a branch started or stopped conflicting with its target.
    fn target_changed(
        &mut self,
        before: Option<&RadarHead>,
        after: Option<&RadarHead>,
        at: Timestamp,
    ) {
        let before = before.and_then(|head| Some((head, target_conflict(head)?)));
        let after = after.and_then(|head| Some((head, target_conflict(head)?)));
        let (kind, (head, conflict)) = match (before, after) {
            (None, Some(found)) => ("conflict.detected", found),
            (Some(found), None) => ("conflict.cleared", found),
            (None, None) | (Some(_), Some(_)) => return,
        };
        let data = json!({
            "repo": head.repo_id,
            "tasks": [head.task_id],
            "target": head.target.as_ref().map(|target| &target.branch),
            "files": conflict.files,
            "since": conflict.since,
        });
        self.events.push(NewEvent { kind: kind.to_owned(), version: 0, at, data });
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

impl Radar {
    /// Stores the findings; returns how many pairs started and stopped conflicting. Returns `None` without writing if
    /// another pass wrote meanwhile.
    pub(crate) async fn record_findings(
        &self,
        project: ProjectId,
        repo: RepoId,
        seen: RadarFindings,
    ) -> Result<Option<(usize, usize)>, EngineError> {
        let (seen, now) = (Arc::new(seen), self.clock.now());
        let written = self.db.write(move |tx| {
            let seen = seen.clone();
            Box::pin(async move { record(tx, project, repo, &seen, now).await })
        });
        Ok(written.await?)
    }
}

fn known_head(seen: &RadarFindings, task: TaskId) -> Option<&RadarHead> {
    seen.before.iter().find(|head| head.task_id == task)
}

/// The branch with its target conflict: the new result, else the recorded one.
fn with_conflict(
    head: &RadarHead,
    before: Option<&RadarHead>,
    found: Option<&Option<Vec<String>>>,
    now: Timestamp,
) -> RadarHead {
    let mut head = head.clone();
    let before = before.and_then(target_conflict);
    if let Some(target) = &mut head.target {
        target.conflict = match found {
            None => before.cloned(),
            Some(None) => None,
            Some(Some(files)) => {
                let since = before.map_or(now, |before| before.since);
                Some(RadarTargetConflict { files: files.clone(), since })
            }
        };
    }
    head
}

fn target_conflict(head: &RadarHead) -> Option<&RadarTargetConflict> {
    head.target.as_ref()?.conflict.as_ref()
}

async fn record(
    tx: &mut Tx,
    project: ProjectId,
    repo: RepoId,
    seen: &RadarFindings,
    now: Timestamp,
) -> Result<Option<(usize, usize)>, StoreError> {
    // Locks the project's counter: no other transaction writes events of this project until commit.
    tables::counters::advance_events(tx, project, 0).await?;
    if tables::radar::heads_in(tx, repo).await? != seen.before {
        return Ok(None);
    }
    let rows = tables::radar::pairs_in(tx, repo).await?;
    let mut known: BTreeMap<[TaskId; 2], RadarPair> =
        rows.into_iter().map(|pair| (pair.tasks, pair)).collect();
    let mut news = ConflictEvents::default();
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
        news.target_changed(known_head(seen, *task), None, now);
        tables::radar::remove_head(tx, *task).await?;
    }
    for head in &seen.moved {
        let before = known_head(seen, head.task_id);
        let head = with_conflict(head, before, seen.targets.get(&head.task_id), now);
        news.target_changed(before, Some(&head), now);
        tables::radar::put_head(tx, &head).await?;
    }
    append_events(tx, project, &Actor::system("radar"), &news.events).await?;
    Ok(Some((news.detected, news.cleared)))
}
