//! The lines of all targets: who waits in them, and what each was told last.

use super::cargo::Cargo;
use super::placing::Placement;
use super::seat::{Seat, Told};
use super::view::CarView;
use forge_domain::train::{Car, Train, Window};
use forge_domain::{ChecksHash, ProjectId, TaskId};
use forge_git::{BranchName, ObjectId, Repo};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, watch};

/// A tree, and the checks that it has to pass.
pub(crate) type Tested = (ObjectId, Option<ChecksHash>);

/// One line for each repository and target branch. Two projects that share a repository share its lines.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lines(Arc<Mutex<HashMap<Target, Arc<Line>>>>);

/// A repository, by where its objects are, and a branch of it.
type Target = (PathBuf, String);

/// All that wait for one target.
#[derive(Debug)]
pub(crate) struct Line {
    pub(super) repo: Repo,
    pub(super) target: BranchName,
    state: Mutex<State>,
    /// Something happened that the plan has to follow.
    pub(super) changed: Notify,
}

#[derive(Debug)]
pub(super) struct State {
    pub(super) train: Train<Tested>,
    pub(super) riders: BTreeMap<TaskId, Rider>,
    /// Whether somebody plans for it.
    pub(super) conducted: bool,
    /// What branches gave on top of what, as long as it is asked for.
    pub(super) placed: HashMap<(ObjectId, TaskId), Placement>,
    /// As it was planned last.
    pub(super) shown: Vec<CarView>,
}

#[derive(Debug)]
pub(super) struct Rider {
    pub(super) project: ProjectId,
    pub(super) cargo: Arc<Cargo>,
    pub(super) told: watch::Sender<Told>,
}

impl Lines {
    /// The line of a target.
    pub(crate) fn of(&self, repo: &Repo, target: &BranchName) -> Arc<Line> {
        let key = (repo.common_dir().to_owned(), target.to_string());
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let line = lines.entry(key).or_insert_with(|| {
            Arc::new(Line {
                repo: repo.clone(),
                target: target.clone(),
                state: Mutex::new(State {
                    train: Train::new(Window::single()),
                    riders: BTreeMap::new(),
                    conducted: false,
                    placed: HashMap::new(),
                    shown: Vec::new(),
                }),
                changed: Notify::new(),
            })
        });
        Arc::clone(line)
    }

    /// All of them.
    pub(super) fn all(&self) -> Vec<Arc<Line>> {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<_> = lines.iter().collect();
        all.sort_by(|left, right| left.0.cmp(right.0));
        all.into_iter().map(|(_, line)| Arc::clone(line)).collect()
    }

    /// Settings or priorities changed: every line is planned anew.
    pub(crate) fn look_again(&self) {
        self.all().iter().for_each(|line| line.changed.notify_one());
    }
}

impl Line {
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Joins; true if nobody plans for the line yet, which is then the caller's to see to.
    pub(crate) fn board(
        self: &Arc<Self>,
        car: Car,
        project: ProjectId,
        cargo: Cargo,
    ) -> (Seat, bool) {
        let (told, orders) = watch::channel(Told::Wait);
        let task = car.task;
        let mut state = self.state();
        state.train.board(car);
        state.riders.insert(task, Rider { project, cargo: Arc::new(cargo), told });
        let idle = !std::mem::replace(&mut state.conducted, true);
        drop(state);
        self.changed.notify_one();
        (Seat::new(Arc::clone(self), task, orders), idle)
    }

    pub(super) fn tried(&self, task: TaskId, tested: &Tested, passed: bool) {
        self.state().train.tried(task, tested, passed);
        self.changed.notify_one();
    }

    /// The target was not where it was thought to be: what was said of it does not count.
    pub(super) fn retract(&self, task: TaskId) {
        let mut state = self.state();
        // It may have been told something else meanwhile, which goes with the rest.
        state.train.give_up(task);
        if let Some(rider) = state.riders.get(&task) {
            rider.told.send_replace(Told::Wait);
        }
        drop(state);
        self.changed.notify_one();
    }

    pub(super) fn landed(&self, task: TaskId) {
        let mut state = self.state();
        if state.riders.remove(&task).is_some() {
            state.train.landed(task);
        }
        drop(state);
        self.changed.notify_one();
    }

    pub(super) fn left(&self, task: TaskId, blamed: bool) {
        let mut state = self.state();
        if state.riders.remove(&task).is_some() {
            state.train.left(task, blamed);
        }
        drop(state);
        self.changed.notify_one();
    }
}
