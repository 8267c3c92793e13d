//! The merge trains of all targets: their entries, and the last instruction of each.

use crate::landing::train::candidate::LandingCandidate;
use crate::landing::train::train_ticket::{TrainInstruction, TrainTicket};
use crate::landing::train::train_view::TrainEntryView;
use crate::landing::train::trial_merge::TrialMerge;
use forge_domain::train::{TrainCandidate, TrainPlanner, TrialWindow};
use forge_domain::{ChecksHash, ProjectId, TaskId};
use forge_git::{BranchName, ObjectId, Repo};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, watch};

/// What a trial tests: a tree, and the checks that it must pass; `None` if there are none.
pub(crate) type TrialKey = (ObjectId, Option<ChecksHash>);

/// All trains of this node, by repository and target branch. Projects that share a repository share its trains.
#[derive(Debug, Clone, Default)]
pub(crate) struct MergeTrains(Arc<Mutex<HashMap<TrainKey, Arc<MergeTrain>>>>);

/// A repository by its common directory, and a branch.
type TrainKey = (PathBuf, String);

/// The train of one target.
#[derive(Debug)]
pub(crate) struct MergeTrain {
    pub(crate) repo: Repo,
    pub(crate) target: BranchName,
    state: Mutex<MergeTrainState>,
    /// Notified after every change that requires a new plan.
    pub(crate) changed: Notify,
}

/// The part of a train that its landings and its planner loop change, under one lock.
#[derive(Debug)]
pub(crate) struct MergeTrainState {
    /// The order, the trials and the window.
    pub(crate) planner: TrainPlanner<TrialKey>,
    pub(crate) entries: BTreeMap<TaskId, TrainEntry>,
    /// Whether a planner loop runs for the train.
    pub(crate) has_planner: bool,
    /// Cached trial merges by base and task, as long as the plan uses them.
    pub(crate) trial_cache: HashMap<(ObjectId, TaskId), TrialMerge>,
    /// The entries as last planned.
    pub(crate) views: Vec<TrainEntryView>,
}

/// A landing that is in a train, from [`MergeTrain::enter`] until its ticket is dropped.
#[derive(Debug)]
pub(crate) struct TrainEntry {
    pub(crate) project: ProjectId,
    pub(crate) candidate: Arc<LandingCandidate>,
    /// The planner's last instruction; the ticket receives it.
    pub(crate) instruction: watch::Sender<TrainInstruction>,
}

impl MergeTrains {
    /// The train of a target.
    pub(crate) fn train_of(&self, repo: &Repo, target: &BranchName) -> Arc<MergeTrain> {
        let key = (repo.common_dir().to_owned(), target.to_string());
        let mut trains = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let train = trains.entry(key).or_insert_with(|| {
            Arc::new(MergeTrain {
                repo: repo.clone(),
                target: target.clone(),
                state: Mutex::new(MergeTrainState {
                    planner: TrainPlanner::new(TrialWindow::single()),
                    entries: BTreeMap::new(),
                    has_planner: false,
                    trial_cache: HashMap::new(),
                    views: Vec::new(),
                }),
                changed: Notify::new(),
            })
        });
        Arc::clone(train)
    }

    /// The trains of all targets.
    pub(crate) fn all(&self) -> Vec<Arc<MergeTrain>> {
        let trains = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<_> = trains.iter().collect();
        all.sort_by(|left, right| left.0.cmp(right.0));
        all.into_iter().map(|(_, train)| Arc::clone(train)).collect()
    }

    /// Plans every train again, after a change of settings or priorities.
    pub(crate) fn replan_all(&self) {
        self.all().iter().for_each(|train| train.changed.notify_one());
    }
}

impl MergeTrain {
    pub(crate) fn state(&self) -> MutexGuard<'_, MergeTrainState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an entry. Returns true if no planner loop runs yet; then the caller starts one.
    pub(crate) fn enter(
        self: &Arc<Self>,
        planned: TrainCandidate,
        project: ProjectId,
        landing_candidate: LandingCandidate,
    ) -> (TrainTicket, bool) {
        let (sender, instructions) = watch::channel(TrainInstruction::Wait);
        let task = planned.task;
        let mut state = self.state();
        state.planner.add(planned);
        state.entries.insert(
            task,
            TrainEntry { project, candidate: Arc::new(landing_candidate), instruction: sender },
        );
        let idle = !std::mem::replace(&mut state.has_planner, true);
        drop(state);
        self.changed.notify_one();
        (TrainTicket::new(Arc::clone(self), task, instructions), idle)
    }

    pub(crate) fn record_test(&self, task: TaskId, trial: &TrialKey, passed: bool) {
        self.state().planner.record_result(task, trial, passed);
        self.changed.notify_one();
    }

    /// Drops the task's instruction because the target was not at the expected commit.
    pub(crate) fn retract_instruction(&self, task: TaskId) {
        let mut state = self.state();
        // A newer instruction is dropped too.
        state.planner.reset_candidate(task);
        if let Some(entry) = state.entries.get(&task) {
            entry.instruction.send_replace(TrainInstruction::Wait);
        }
        drop(state);
        self.changed.notify_one();
    }

    pub(crate) fn remove_landed(&self, task: TaskId) {
        let mut state = self.state();
        if state.entries.remove(&task).is_some() {
            state.planner.remove_landed(task);
        }
        drop(state);
        self.changed.notify_one();
    }

    pub(crate) fn remove_entry(&self, task: TaskId, blamed: bool) {
        let mut state = self.state();
        if state.entries.remove(&task).is_some() {
            state.planner.remove_unlanded(task, blamed);
        }
        drop(state);
        self.changed.notify_one();
    }
}
