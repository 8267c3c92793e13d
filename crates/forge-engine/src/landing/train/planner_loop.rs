//! The planner loop: plans a train again after every change, from its current entries (M-12).

use crate::command::commit::Commands;
use crate::command::lookup::RecordReader;
use crate::effects::engine_tasks::EngineTasks;
use crate::effects::{EffectError, ErrorChain};
use crate::gate::receipts::Receipts;
use crate::landing::train::merge_train::{MergeTrain, MergeTrainState, TrialKey};
use crate::landing::train::train_ticket::TrainInstruction;
use crate::landing::train::train_view::TrainEntryView;
use crate::landing::train::trial_merge::TrialMerge;
use forge_domain::train::{PlannerInstruction, TrainPlanner, TrialOutcome};
use forge_domain::{Actor, TaskId};
use forge_git::ObjectId;
use forge_store::tables::events::NewEvent;
use forge_store::{Db, tables};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// The trial merges of all entries, each on top of the preceding one, from the target upwards.
type TrialStack = Vec<(TaskId, TrialMerge)>;

/// Plans merge trains, and sends their entries instructions.
#[derive(Debug, Clone)]
pub(crate) struct PlannerLoop {
    pub(crate) db: Db,
    pub(crate) commands: Commands,
    pub(crate) concurrent_checks: usize,
    pub(crate) receipts: Receipts,
    pub(crate) records: RecordReader,
    pub(crate) tasks: EngineTasks,
}

impl PlannerLoop {
    /// Plans a train until it is empty.
    pub(crate) fn start_planner(&self, train: Arc<MergeTrain>) {
        let planner = self.clone();
        self.tasks.spawn_until_death(async move { planner.run_planner(&train).await });
    }

    async fn run_planner(&self, train: &MergeTrain) {
        loop {
            train.changed.notified().await;
            let planned = self.replan(train).await;
            let mut state = train.state();
            if let Err(error) = planned {
                tracing::warn!(target = %train.target, error = %ErrorChain(&error), "could not plan a merge train");
                state.entries.values().for_each(|entry| {
                    entry.instruction.send_replace(TrainInstruction::Failed(error.to_string()));
                });
            }
            if state.entries.is_empty() {
                state.has_planner = false;
                state.trial_cache.clear();
                state.views.clear();
                return;
            }
        }
    }

    async fn replan(&self, train: &MergeTrain) -> Result<(), EffectError> {
        let paused = self.refresh_entries(train).await?;
        let Some(tip) = train.repo.tip(&train.target).await? else {
            let message =
                format!("the target branch {} does not exist; create it again", train.target);
            return Err(EffectError::workspace(message));
        };
        if paused {
            self.send_instructions(train, &Vec::new(), &BTreeMap::new());
            return Ok(());
        }
        let built = self.build_trials(train, &tip).await?;
        let instructions: BTreeMap<TaskId, PlannerInstruction> = {
            let mut state = train.state();
            let keys = trial_keys(&state, &built);
            state.planner.plan(&keys).into_iter().collect()
        };
        self.send_instructions(train, &built, &instructions);
        Ok(())
    }

    /// Loads current priorities and settings; returns whether the train is paused.
    async fn refresh_entries(&self, train: &MergeTrain) -> Result<bool, EffectError> {
        let projects: BTreeSet<_> =
            train.state().entries.values().map(|entry| entry.project).collect();
        let (mut most_ahead, mut paused) = (usize::MAX, false);
        for project in projects {
            let settings = self.records.project(project).await?.settings.landing()?;
            most_ahead = most_ahead.min(settings.max_window());
            paused |= settings.paused;
        }
        let tasks: Vec<TaskId> = train.state().entries.keys().copied().collect();
        let priorities = tables::tasks::priorities(&self.db, &tasks).await?;
        let mut state = train.state();
        state.planner.set_priorities(&priorities);
        state.planner.window().set_limit(self.concurrent_checks, most_ahead);
        Ok(paused)
    }

    /// Makes trial merges on top of each other, up to the window size.
    async fn build_trials(
        &self,
        train: &MergeTrain,
        tip: &ObjectId,
    ) -> Result<TrialStack, EffectError> {
        let (mut built, mut top): (TrialStack, ObjectId) = (Vec::new(), tip.clone());
        let mut used = HashMap::new();
        loop {
            let next = {
                let state = train.state();
                let keys = trial_keys(&state, &built);
                let next = state.planner.next(&keys);
                next.and_then(|task| {
                    let landing_candidate = Arc::clone(&state.entries.get(&task)?.candidate);
                    Some((
                        task,
                        landing_candidate,
                        state.trial_cache.get(&(top.clone(), task)).cloned(),
                    ))
                })
            };
            let Some((task, landing_candidate, known)) = next else { break };
            let trial_merge = match known {
                Some(trial_merge) => trial_merge,
                // A problem with one entry must not block the others.
                None => landing_candidate
                    .merge_onto(&train.repo, &top)
                    .await
                    .unwrap_or_else(TrialMerge::from_error),
            };
            if !matches!(trial_merge, TrialMerge::GitFailed { .. }) {
                used.insert((top.clone(), task), trial_merge.clone());
            }
            if let TrialMerge::Clean { commit, tree, .. } = &trial_merge {
                let trial: TrialKey = (
                    tree.clone(),
                    landing_candidate.checks.as_ref().map(|checks| checks.hash.clone()),
                );
                self.mark_known_pass(train, &landing_candidate, &trial).await?;
                top = commit.clone();
            }
            built.push((task, trial_merge));
        }
        train.state().trial_cache = used;
        Ok(built)
    }

    /// Marks a tree as passed without a trial: it has no checks, or has a receipt (M-5).
    async fn mark_known_pass(
        &self,
        train: &MergeTrain,
        landing_candidate: &crate::landing::train::candidate::LandingCandidate,
        trial: &TrialKey,
    ) -> Result<(), EffectError> {
        if train.state().planner.has_result(trial) {
            return Ok(());
        }
        let passed = match &landing_candidate.checks {
            None => true,
            Some(checks) => {
                let tree = trial.0.as_str();
                self.receipts
                    .receipt_for(landing_candidate.repo, tree, &checks.hash)
                    .await?
                    .is_some()
            }
        };
        if passed {
            train.state().planner.record_passed(trial.clone());
        }
        Ok(())
    }

    fn send_instructions(
        &self,
        train: &MergeTrain,
        built: &TrialStack,
        instructions: &BTreeMap<TaskId, PlannerInstruction>,
    ) {
        let mut state = train.state();
        let views = entry_views(&state, built);
        if views != state.views {
            state.views = views;
            self.append_train_event(&state, train);
        }
        for (task, entry) in &state.entries {
            let trial_merge = built.iter().find(|(other, _)| other == task);
            let trial_merge = trial_merge.map(|(_, trial_merge)| trial_merge);
            let checks = entry.candidate.checks.as_ref().map(|checks| checks.hash.clone());
            let instruction = match (instructions.get(task), trial_merge) {
                (
                    Some(planned @ (PlannerInstruction::Test | PlannerInstruction::Retest)),
                    Some(TrialMerge::Clean { commit, tree, .. }),
                ) => {
                    let again = *planned == PlannerInstruction::Retest;
                    let trial = (tree.clone(), checks);
                    TrainInstruction::Test { commit: commit.clone(), trial, again }
                }
                (
                    Some(PlannerInstruction::Land),
                    Some(TrialMerge::Clean { base, commit, tree }),
                ) => {
                    let (base, commit, tree) = (base.clone(), commit.clone(), tree.clone());
                    TrainInstruction::Land { base, commit, tree }
                }
                (Some(PlannerInstruction::Evict), Some(TrialMerge::Clean { base, commit, .. })) => {
                    TrainInstruction::Evict { base: base.clone(), commit: commit.clone() }
                }
                (Some(PlannerInstruction::EvictConflict), Some(trial_merge)) => {
                    TrainInstruction::Conflict { trial_merge: trial_merge.clone() }
                }
                (Some(PlannerInstruction::EvictEmpty), _) => TrainInstruction::AlreadyMerged,
                (Some(_), _) => TrainInstruction::Wait,
                (None, _) => continue,
            };
            entry.instruction.send_if_modified(|before| {
                let other = *before != instruction;
                *before = instruction;
                other
            });
        }
    }

    /// Appends the event that a train changed (M-13), in the background, so that no landing waits for it.
    fn append_train_event(&self, state: &MergeTrainState, train: &MergeTrain) {
        let projects: BTreeSet<_> = state.entries.values().map(|entry| entry.project).collect();
        let data = serde_json::json!({
            "target": train.target.to_string(), "entries": state.views.len(),
        });
        let at = self.commands.clock.now();
        let event = NewEvent { kind: "train.changed".to_owned(), version: 0, at, data };
        let commands = self.commands.clone();
        self.tasks.spawn(async move {
            for project in projects {
                let appended =
                    commands.append_event(project, Actor::system("train"), event.clone());
                if let Err(error) = appended.await {
                    tracing::warn!(%error, "could not append the train event");
                }
            }
        });
    }
}

fn trial_keys(
    state: &MergeTrainState,
    built: &TrialStack,
) -> Vec<(TaskId, TrialOutcome<TrialKey>)> {
    let key = |(task, trial_merge): &(TaskId, TrialMerge)| {
        let checks = state.entries.get(task).and_then(|entry| entry.candidate.checks.as_ref());
        let outcome = match trial_merge {
            TrialMerge::Clean { tree, .. } => {
                TrialOutcome::Tree((tree.clone(), checks.map(|checks| checks.hash.clone())))
            }
            TrialMerge::Conflict { .. } | TrialMerge::GitFailed { .. } => TrialOutcome::Conflict,
            TrialMerge::Empty => TrialOutcome::Empty,
        };
        (*task, outcome)
    };
    built.iter().map(key).collect()
}

fn entry_views(state: &MergeTrainState, built: &TrialStack) -> Vec<TrainEntryView> {
    let train: &TrainPlanner<TrialKey> = &state.planner;
    let keys = trial_keys(state, built);
    train
        .order()
        .into_iter()
        .filter_map(|task| {
            let entry = state.entries.get(&task)?;
            let outcome = keys.iter().find(|(other, _)| *other == task).map(|(_, outcome)| outcome);
            let commit = built.iter().find_map(|(other, trial_merge)| match trial_merge {
                TrialMerge::Clean { commit, .. } if *other == task => Some(commit.to_string()),
                _ => None,
            });
            Some(TrainEntryView {
                task,
                project: entry.project,
                trial_state: train.trial_state(task, outcome),
                commit,
            })
        })
        .collect()
}
