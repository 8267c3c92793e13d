//! One radar pass: which branches moved, and which conflicts they have now.

use crate::command::clock::Clock;
use crate::command::errors::EngineError;
use crate::command::lookup::RecordReader;
use crate::effects::EffectError;
use crate::effects::faults::FaultPoints;
use crate::radar::RadarQueue;
use crate::radar::branch_change::{BranchChange, TargetTips, merge_side, parse_object_id};
use crate::radar::record_findings::{PairFinding, RadarFindings};
use crate::workspace::pool::OpenedRepos;
use crate::workspace::view::workspace_summary::into_engine_error;
use forge_domain::{RepoId, TaskId};
use forge_git::{PairCheckStats, PairResult, Repo, RepoOpenError, WorkspaceRoot};
use forge_store::Db;
use forge_store::tables::{self, PageRequest, radar::RadarHead};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

/// In a repository with more branches only the newest are examined.
const MOST_BRANCHES: usize = 300;
/// Another node may write at the same time; then this one examines again.
const MOST_TRIES: usize = 5;
const PAGE: u32 = 500;

/// Counters of one radar pass.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct RadarPassStats {
    /// Branches that moved or disappeared.
    pub moved: usize,
    /// Pairs that were checked.
    pub pairs: usize,
    /// Pairs that git had to merge.
    pub merged: usize,
    /// Branches that were compared with their target.
    pub targets: usize,
    /// Pairs that started to conflict.
    pub detected: usize,
    /// Pairs that stopped conflicting.
    pub cleared: usize,
}

impl RadarPassStats {
    fn add(&mut self, other: Self) {
        self.moved += other.moved;
        self.pairs += other.pairs;
        self.merged += other.merged;
        self.targets += other.targets;
        self.detected += other.detected;
        self.cleared += other.cleared;
    }
}

/// The conflict radar: which live branches conflict.
#[derive(Debug, Clone)]
pub struct Radar {
    pub(crate) db: Db,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) faults: FaultPoints,
    pub(crate) opened_repos: OpenedRepos,
    pub(crate) queue: Arc<RadarQueue>,
    pub(crate) records: RecordReader,
    pub(crate) root: WorkspaceRoot,
}

impl Radar {
    /// Examines every branch that may have moved since the last pass (M-14).
    pub async fn check_moved_branches(&self) -> Result<RadarPassStats, EngineError> {
        let (mut looked, mut failed) = (RadarPassStats::default(), None);
        for (repo, tasks) in self.queue.take() {
            match self.check_repo_branches(repo, &tasks).await {
                Ok(found) => looked.add(found),
                Err(error) => {
                    self.queue.add_all(repo, tasks);
                    failed = Some(into_engine_error(error));
                }
            }
        }
        failed.map_or(Ok(looked), Err)
    }

    /// Queues every live or recorded branch for the next pass. No process starts for a branch that has not moved.
    pub async fn queue_all_branches(&self) -> Result<(), EngineError> {
        for repo in tables::radar::repos(&self.db).await? {
            self.queue.add_all(repo, []);
        }
        let mut page = PageRequest::first(PAGE);
        loop {
            let (tasks, next) = tables::tasks::list_with_workspace(&self.db, None, &page).await?;
            for task in tasks {
                if let Some(repo) = task.repo_id {
                    self.queue.add_all(repo, [task.id]);
                }
            }
            match next {
                Some(next) => page = PageRequest { limit: PAGE, after: Some(next) },
                None => return Ok(()),
            }
        }
    }

    async fn check_repo_branches(
        &self,
        id: RepoId,
        tasks: &BTreeSet<TaskId>,
    ) -> Result<RadarPassStats, EffectError> {
        let Some(row) = tables::repos::load(&self.db, id).await? else {
            return Ok(RadarPassStats::default());
        };
        let Some(path) = &row.path else { return Ok(RadarPassStats::default()) };
        let repo = match self.opened_repos.open(Path::new(path)).await {
            Ok(repo) => repo,
            // The repository is on another node, or on an unmounted disk.
            Err(RepoOpenError::Missing(_)) => return Ok(RadarPassStats::default()),
            Err(error) => return Err(error.into()),
        };
        let mut looked = RadarPassStats::default();
        for _ in 0..MOST_TRIES {
            let (seen, effort) = self.find_changes(&row, &repo, tasks).await?;
            looked.pairs += effort.requested;
            looked.merged += effort.merged;
            looked.targets += seen.targets.len();
            if seen.is_empty() {
                return Ok(looked);
            }
            looked.moved = seen.moved.len() + seen.gone.len();
            self.faults.reach("radar.looked").await?;
            if let Some((detected, cleared)) =
                self.record_findings(row.project_id, id, seen).await?
            {
                looked.detected += detected;
                looked.cleared += cleared;
                self.faults.reach("radar.recorded").await?;
                return Ok(looked);
            }
        }
        Err(EffectError::transient(
            "the branches moved faster than they could be looked at".to_owned(),
        ))
    }

    /// Finds the moved branches and their conflicts with all others.
    async fn find_changes(
        &self,
        row: &tables::repos::RepoRow,
        repo: &Repo,
        tasks: &BTreeSet<TaskId>,
    ) -> Result<(RadarFindings, PairCheckStats), EffectError> {
        let before = tables::radar::heads(&self.db, row.id).await?;
        let known: BTreeMap<TaskId, &RadarHead> =
            before.iter().map(|head| (head.task_id, head)).collect();
        let mut asked: BTreeSet<TaskId> = tasks.clone();
        asked.extend(known.keys());
        let asked: Vec<TaskId> = asked.into_iter().collect();
        let names: Vec<String> = asked.iter().map(TaskId::to_string).collect();
        let entries = repo.newest_entries(&names).await?;
        let mut seen = RadarFindings { before: before.clone(), ..RadarFindings::default() };
        let mut targets = TargetTips::new(row);
        for task in tables::tasks::load_many(&self.db, &asked).await? {
            let entry = entries.get(&task.id.to_string()).copied();
            let known = known.get(&task.id).copied();
            match self.find_branch_change(repo, &task, entry, &mut targets, known).await? {
                BranchChange::Unchanged => {}
                BranchChange::Moved(head) => seen.moved.push(*head),
                BranchChange::Gone(task) => seen.gone.push(task),
            }
        }
        find_forks(repo, &mut seen.moved).await?;
        let effort = self.check_pairs(repo, &mut seen).await?;
        self.check_targets(repo, &mut seen).await?;
        Ok((seen, effort))
    }

    /// Compares each branch that moved, or whose target moved, with its target.
    async fn check_targets(
        &self,
        repo: &Repo,
        seen: &mut RadarFindings,
    ) -> Result<(), EffectError> {
        let mut moved: Vec<&RadarHead> = seen.moved.iter().collect();
        moved.sort_by_key(|head| std::cmp::Reverse(head.task_id));
        moved.truncate(MOST_BRANCHES);
        let (mut sides, mut pairs, mut tasks) = (Vec::new(), Vec::new(), Vec::new());
        let mut places: HashMap<&str, usize> = HashMap::new();
        for head in moved {
            let Some(target) = &head.target else { continue };
            let place = match places.get(target.head.as_str()) {
                Some(place) => *place,
                None => {
                    sides.push(repo.target_side(&parse_object_id(&target.head)?).await?);
                    places.insert(&target.head, sides.len() - 1);
                    sides.len() - 1
                }
            };
            sides.push(merge_side(head)?);
            pairs.push((sides.len() - 1, place));
            tasks.push(head.task_id);
        }
        let mut memory = self.queue.memory.lock().await;
        let sighting = Box::pin(repo.check_pairs(&sides, &pairs, &mut memory)).await?;
        for (task, meeting) in tasks.into_iter().zip(sighting.results) {
            match meeting {
                Some(PairResult::Clean) => seen.targets.insert(task, None),
                Some(PairResult::Conflict { files }) => seen.targets.insert(task, Some(files)),
                // If git cannot merge the pair, the old result stays.
                None => continue,
            };
        }
        Ok(())
    }

    async fn check_pairs(
        &self,
        repo: &Repo,
        seen: &mut RadarFindings,
    ) -> Result<PairCheckStats, EffectError> {
        let mut heads: HashMap<TaskId, RadarHead> =
            seen.before.iter().map(|head| (head.task_id, head.clone())).collect();
        for task in &seen.gone {
            heads.remove(task);
        }
        // If only the target or a person's decision changed, the branch's own change is the same as before.
        let changed: BTreeSet<TaskId> = seen
            .moved
            .iter()
            .filter(|head| {
                heads.get(&head.task_id).is_none_or(|known| own_change(known) != own_change(head))
            })
            .map(|head| head.task_id)
            .collect();
        for head in &seen.moved {
            heads.insert(head.task_id, head.clone());
        }
        let mut live: Vec<RadarHead> = heads.into_values().collect();
        live.sort_by_key(|head| std::cmp::Reverse(head.task_id));
        if live.len() > MOST_BRANCHES {
            tracing::warn!(branches = live.len(), "too many branches; checking only the newest");
            live.truncate(MOST_BRANCHES);
        }
        let sides = live.iter().map(merge_side).collect::<Result<Vec<_>, _>>()?;
        let mut pairs = Vec::new();
        for (one, first) in live.iter().enumerate() {
            for (other, second) in live.iter().enumerate().skip(one + 1) {
                if changed.contains(&first.task_id) || changed.contains(&second.task_id) {
                    pairs.push((one, other));
                }
            }
        }
        let mut memory = self.queue.memory.lock().await;
        let sighting = Box::pin(repo.check_pairs(&sides, &pairs, &mut memory)).await?;
        for ((one, other), meeting) in pairs.into_iter().zip(sighting.results) {
            // If git cannot merge the pair, the old result stays.
            let (Some(meeting), Some(one), Some(other)) = (meeting, live.get(one), live.get(other))
            else {
                continue;
            };
            seen.verdicts.push(PairFinding::new(one, other, meeting));
        }
        Ok(sighting.stats)
    }
}

/// The parts of a branch that decide its conflicts with others.
fn own_change(head: &RadarHead) -> (&str, &str, Option<&str>) {
    let fork = head.target.as_ref().and_then(|target| target.fork.as_deref());
    (&head.head, &head.tree, fork)
}

/// Fills in the fork points of branches, with two processes for all of them.
async fn find_forks(repo: &Repo, moved: &mut [RadarHead]) -> Result<(), EffectError> {
    let mut wanted = Vec::new();
    for head in moved.iter() {
        if let Some(target) = &head.target {
            wanted.push((parse_object_id(&head.head)?, parse_object_id(&target.head)?));
        }
    }
    let forks = repo.load_forks(&wanted).await?;
    let targets = moved.iter_mut().filter_map(|head| head.target.as_mut());
    for (target, fork) in targets.zip(forks) {
        target.fork = fork.map(|fork| fork.to_string());
    }
    Ok(())
}
