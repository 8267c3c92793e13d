//! One look: what moved, and whom it clashes with now.

use super::record::{Seen, Verdict};
use super::standing::{Now, side};
use crate::effects::Failure;
use crate::engine::Engine;
use crate::errors::EngineError;
use crate::inspect::unreadable;
use forge_domain::{RepoId, TaskId};
use forge_git::{Effort, OpenError, Repo};
use forge_store::tables::{self, Page, radar::RadarHead};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// With more branches than this in one repository the newest are looked at.
const MOST_BRANCHES: usize = 300;
/// Somebody else may have looked at the same time; then the two are put together.
const MOST_TRIES: usize = 5;
const PAGE: u32 = 500;

/// What a look came to.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Looked {
    /// Branches that were not where they had been.
    pub moved: usize,
    /// Pairs that were asked about.
    pub pairs: usize,
    /// Pairs that git had to merge.
    pub merged: usize,
    /// Pairs that began to clash.
    pub detected: usize,
    /// Pairs that stopped.
    pub cleared: usize,
}

impl Looked {
    fn add(&mut self, other: Self) {
        self.moved += other.moved;
        self.pairs += other.pairs;
        self.merged += other.merged;
        self.detected += other.detected;
        self.cleared += other.cleared;
    }
}

impl Engine {
    /// Looks at every branch that may have moved since the last time (M-14).
    pub async fn look_around(&self) -> Result<Looked, EngineError> {
        let (mut looked, mut failed) = (Looked::default(), None);
        for (repo, tasks) in self.0.radar.take() {
            match self.look_at(repo, &tasks).await {
                Ok(found) => looked.add(found),
                Err(error) => {
                    self.0.radar.add_all(repo, tasks);
                    failed = Some(unreadable(error));
                }
            }
        }
        failed.map_or(Ok(looked), Err)
    }

    /// Notes everything that has a branch or had one, for the next look. Nothing is started for what has not moved.
    pub async fn notice_all(&self) -> Result<(), EngineError> {
        for repo in tables::radar::repos(self.db()).await? {
            self.0.radar.add_all(repo, []);
        }
        let mut page = Page::first(PAGE);
        loop {
            let (tasks, next) = tables::tasks::list_with_workspace(self.db(), None, &page).await?;
            for task in tasks {
                if let Some(repo) = task.repo_id {
                    self.0.radar.add_all(repo, [task.id]);
                }
            }
            match next {
                Some(next) => page = Page { limit: PAGE, after: Some(next) },
                None => return Ok(()),
            }
        }
    }

    async fn look_at(&self, id: RepoId, tasks: &BTreeSet<TaskId>) -> Result<Looked, Failure> {
        let Some(row) = tables::repos::load(self.db(), id).await? else {
            return Ok(Looked::default());
        };
        let Some(path) = row.path else { return Ok(Looked::default()) };
        let repo = match self.open_repo(Path::new(&path)).await {
            Ok(repo) => repo,
            // On another node, or on a disk that is not mounted now.
            Err(OpenError::Missing(_)) => return Ok(Looked::default()),
            Err(error) => return Err(error.into()),
        };
        let mut looked = Looked::default();
        for _ in 0..MOST_TRIES {
            let (seen, effort) = self.see(id, &repo, tasks).await?;
            looked.pairs += effort.asked;
            looked.merged += effort.merged;
            if seen.is_empty() {
                return Ok(looked);
            }
            looked.moved = seen.moved.len() + seen.gone.len();
            self.0.faults.reach("radar.looked").await?;
            if let Some((detected, cleared)) = self.record_seen(row.project_id, id, seen).await? {
                looked.detected += detected;
                looked.cleared += cleared;
                self.0.faults.reach("radar.recorded").await?;
                return Ok(looked);
            }
        }
        Err(Failure::Passing("the branches moved faster than they could be looked at".to_owned()))
    }

    /// What moved, and how it gets on with all others.
    async fn see(
        &self,
        id: RepoId,
        repo: &Repo,
        tasks: &BTreeSet<TaskId>,
    ) -> Result<(Seen, Effort), Failure> {
        let before = tables::radar::heads(self.db(), id).await?;
        let known: BTreeMap<TaskId, &RadarHead> =
            before.iter().map(|head| (head.task_id, head)).collect();
        let mut asked: BTreeSet<TaskId> = tasks.clone();
        asked.extend(known.keys());
        let asked: Vec<TaskId> = asked.into_iter().collect();
        let names: Vec<String> = asked.iter().map(TaskId::to_string).collect();
        let entries = repo.newest_entries(&names).await?;
        let mut seen = Seen { before: before.clone(), ..Seen::default() };
        for task in tables::tasks::load_many(self.db(), &asked).await? {
            let entry = entries.get(&task.id.to_string()).copied();
            let known = known.get(&task.id).copied();
            match self.standing_of(repo, &task, entry, known).await? {
                Now::Same => {}
                Now::Moved(head) => seen.moved.push(head),
                Now::Gone(task) => seen.gone.push(task),
            }
        }
        let effort = self.judge(repo, &mut seen).await?;
        Ok((seen, effort))
    }

    async fn judge(&self, repo: &Repo, seen: &mut Seen) -> Result<Effort, Failure> {
        let mut heads: HashMap<TaskId, RadarHead> =
            seen.before.iter().map(|head| (head.task_id, head.clone())).collect();
        for task in &seen.gone {
            heads.remove(task);
        }
        // What a person said of it may have changed, and its files not: nobody clashes with it differently for that.
        let changed: BTreeSet<TaskId> = seen
            .moved
            .iter()
            .filter(|head| {
                heads
                    .get(&head.task_id)
                    .is_none_or(|known| known.head != head.head || known.tree != head.tree)
            })
            .map(|head| head.task_id)
            .collect();
        for head in &seen.moved {
            heads.insert(head.task_id, head.clone());
        }
        let mut live: Vec<RadarHead> = heads.into_values().collect();
        live.sort_by_key(|head| std::cmp::Reverse(head.task_id));
        if live.len() > MOST_BRANCHES {
            tracing::warn!(branches = live.len(), "only the newest branches are looked at");
            live.truncate(MOST_BRANCHES);
        }
        let sides = live.iter().map(side).collect::<Result<Vec<_>, _>>()?;
        let mut pairs = Vec::new();
        for (one, first) in live.iter().enumerate() {
            for (other, second) in live.iter().enumerate().skip(one + 1) {
                if changed.contains(&first.task_id) || changed.contains(&second.task_id) {
                    pairs.push((one, other));
                }
            }
        }
        let mut memory = self.0.radar.memory.lock().await;
        let sighting = Box::pin(repo.look_at_pairs(&sides, &pairs, &mut memory)).await?;
        for ((one, other), meeting) in pairs.into_iter().zip(sighting.meetings) {
            // What git cannot merge at all stays as it was.
            let (Some(meeting), Some(one), Some(other)) = (meeting, live.get(one), live.get(other))
            else {
                continue;
            };
            seen.verdicts.push(Verdict::new(one, other, meeting));
        }
        Ok(sighting.effort)
    }
}
