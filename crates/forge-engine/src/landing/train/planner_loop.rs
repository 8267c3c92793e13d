//! The planner loop: plans a train again after every change, from its current entries (M-12).

use crate::effects::EffectError;
use crate::engine::Engine;
use crate::landing::train::landing_settings::LandingSettings;
use crate::landing::train::merge_train::{MergeTrain, MergeTrainState, TestedTree};
use crate::landing::train::train_ticket::TrainInstruction;
use crate::landing::train::train_view::TrainEntryView;
use crate::landing::train::trial_merge::TrialMerge;
use forge_domain::train::{PlannerInstruction, TrainPlanner, TrialOutcome};
use forge_domain::{Actor, TaskId};
use forge_git::ObjectId;
use forge_store::tables;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// The trial merges of all entries, each on top of the preceding one, from the target upwards.
type TrialStack = Vec<(TaskId, TrialMerge)>;

impl Engine {
    /// Plans a train until it is empty.
    pub(crate) fn start_planner(&self, line: Arc<MergeTrain>) {
        let engine = self.clone();
        self.0.tasks.spawn(async move {
            let dead = engine.0.dead.clone();
            tokio::select! {
                () = dead.cancelled() => {}
                () = engine.run_planner(&line) => {}
            }
        });
    }

    async fn run_planner(&self, line: &MergeTrain) {
        loop {
            line.changed.notified().await;
            let planned = self.replan(line).await;
            let mut state = line.state();
            if let Err(error) = planned {
                let error = error.into_message();
                tracing::warn!(target = %line.target, error, "could not plan a merge train");
                state.entries.values().for_each(|queued| {
                    queued.instruction.send_replace(TrainInstruction::Failed(error.clone()));
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

    async fn replan(&self, line: &MergeTrain) -> Result<(), EffectError> {
        let paused = self.refresh_entries(line).await?;
        let Some(tip) = line.repo.tip(&line.target).await? else {
            let message =
                format!("the target branch {} does not exist; create it again", line.target);
            return Err(EffectError::workspace(message));
        };
        if paused {
            self.send_instructions(line, &Vec::new(), &BTreeMap::new());
            return Ok(());
        }
        let built = self.build_trials(line, &tip).await?;
        let orders: BTreeMap<TaskId, PlannerInstruction> = {
            let mut state = line.state();
            let keys = trial_keys(&state, &built);
            state.train.plan(&keys).into_iter().collect()
        };
        self.send_instructions(line, &built, &orders);
        Ok(())
    }

    /// Loads current priorities and settings; returns whether the train is paused.
    async fn refresh_entries(&self, line: &MergeTrain) -> Result<bool, EffectError> {
        let projects: BTreeSet<_> =
            line.state().entries.values().map(|queued| queued.project).collect();
        let (mut most_ahead, mut paused) = (usize::MAX, false);
        for project in projects {
            let settings = LandingSettings::of(&self.project(project).await?.settings)?;
            most_ahead = most_ahead.min(settings.max_window());
            paused |= settings.paused;
        }
        let tasks: Vec<TaskId> = line.state().entries.keys().copied().collect();
        let priorities = tables::tasks::priorities(self.db(), &tasks).await?;
        let mut state = line.state();
        state.train.set_priorities(&priorities);
        state.train.window().set_limit(self.0.limits.concurrent_checks, most_ahead);
        Ok(paused)
    }

    /// Makes trial merges on top of each other, up to the window size.
    async fn build_trials(
        &self,
        line: &MergeTrain,
        tip: &ObjectId,
    ) -> Result<TrialStack, EffectError> {
        let (mut built, mut top): (TrialStack, ObjectId) = (Vec::new(), tip.clone());
        let mut used = HashMap::new();
        loop {
            let next = {
                let state = line.state();
                let keys = trial_keys(&state, &built);
                let next = state.train.next(&keys);
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
            let placement = match known {
                Some(placement) => placement,
                // A problem with one entry must not block the others.
                None => landing_candidate
                    .merge_onto(&line.repo, &top)
                    .await
                    .unwrap_or_else(TrialMerge::from_error),
            };
            if !matches!(placement, TrialMerge::GitFailed { .. }) {
                used.insert((top.clone(), task), placement.clone());
            }
            if let TrialMerge::Clean { commit, tree, .. } = &placement {
                let tested: TestedTree = (
                    tree.clone(),
                    landing_candidate.checks.as_ref().map(|checks| checks.hash.clone()),
                );
                self.mark_known_pass(line, &landing_candidate, &tested).await?;
                top = commit.clone();
            }
            built.push((task, placement));
        }
        line.state().trial_cache = used;
        Ok(built)
    }

    /// Marks a tree as passed without a trial: it has no checks, or has a receipt (M-5).
    async fn mark_known_pass(
        &self,
        line: &MergeTrain,
        landing_candidate: &crate::landing::train::candidate::LandingCandidate,
        tested: &TestedTree,
    ) -> Result<(), EffectError> {
        if line.state().train.has_result(tested) {
            return Ok(());
        }
        let passed = match &landing_candidate.checks {
            None => true,
            Some(checks) => {
                let tree = tested.0.as_str();
                self.receipt_for(landing_candidate.repo, tree, &checks.hash).await?.is_some()
            }
        };
        if passed {
            line.state().train.record_passed(tested.clone());
        }
        Ok(())
    }

    fn send_instructions(
        &self,
        line: &MergeTrain,
        built: &TrialStack,
        orders: &BTreeMap<TaskId, PlannerInstruction>,
    ) {
        let mut state = line.state();
        let shown = entry_views(&state, built);
        if shown != state.views {
            state.views = shown;
            self.append_train_event(&state, line);
        }
        for (task, queued) in &state.entries {
            let placement = built.iter().find(|(other, _)| other == task);
            let placement = placement.map(|(_, placement)| placement);
            let checks = queued.candidate.checks.as_ref().map(|checks| checks.hash.clone());
            let told = match (orders.get(task), placement) {
                (
                    Some(order @ (PlannerInstruction::Test | PlannerInstruction::Retest)),
                    Some(TrialMerge::Clean { commit, tree, .. }),
                ) => {
                    let again = *order == PlannerInstruction::Retest;
                    let tested = (tree.clone(), checks);
                    TrainInstruction::Test { commit: commit.clone(), tested, again }
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
                (Some(PlannerInstruction::EvictConflict), Some(placement)) => {
                    TrainInstruction::Conflict { placement: placement.clone() }
                }
                (Some(PlannerInstruction::EvictEmpty), _) => TrainInstruction::AlreadyMerged,
                (Some(_), _) => TrainInstruction::Wait,
                (None, _) => continue,
            };
            queued.instruction.send_if_modified(|before| {
                let other = *before != told;
                *before = told;
                other
            });
        }
    }
}

impl Engine {
    /// Appends the event that a train changed (M-13), in the background, so that no landing waits for it.
    fn append_train_event(&self, state: &MergeTrainState, line: &MergeTrain) {
        let projects: BTreeSet<_> = state.entries.values().map(|queued| queued.project).collect();
        let (engine, at) = (self.clone(), self.now());
        let target = line.target.to_string();
        let entries = state.views.len();
        self.0.tasks.spawn(async move {
            for project in projects {
                let data = serde_json::json!({ "target": target, "entries": entries });
                let event = tables::events::NewEvent {
                    kind: "train.changed".to_owned(),
                    version: 0,
                    at,
                    data,
                };
                let told = engine.0.db.write(move |tx| {
                    let event = event.clone();
                    Box::pin(async move {
                        let actor = Actor::system("train");
                        tables::events::append(tx, project, &actor, None, &[event]).await
                    })
                });
                if let Err(error) = told.await {
                    tracing::warn!(%error, "could not append the train event");
                }
            }
        });
    }
}

fn trial_keys(
    state: &MergeTrainState,
    built: &TrialStack,
) -> Vec<(TaskId, TrialOutcome<TestedTree>)> {
    let key = |(task, placement): &(TaskId, TrialMerge)| {
        let checks = state.entries.get(task).and_then(|queued| queued.candidate.checks.as_ref());
        let placed = match placement {
            TrialMerge::Clean { tree, .. } => {
                TrialOutcome::Tree((tree.clone(), checks.map(|checks| checks.hash.clone())))
            }
            TrialMerge::Conflict { .. } | TrialMerge::GitFailed { .. } => TrialOutcome::Conflict,
            TrialMerge::Empty => TrialOutcome::Empty,
        };
        (*task, placed)
    };
    built.iter().map(key).collect()
}

fn entry_views(state: &MergeTrainState, built: &TrialStack) -> Vec<TrainEntryView> {
    let train: &TrainPlanner<TestedTree> = &state.train;
    let keys = trial_keys(state, built);
    train
        .order()
        .into_iter()
        .filter_map(|task| {
            let queued = state.entries.get(&task)?;
            let placed = keys.iter().find(|(other, _)| *other == task).map(|(_, placed)| placed);
            let commit = built.iter().find_map(|(other, placement)| match placement {
                TrialMerge::Clean { commit, .. } if *other == task => Some(commit.to_string()),
                _ => None,
            });
            Some(TrainEntryView {
                task,
                project: queued.project,
                trial_state: train.trial_state(task, placed),
                commit,
            })
        })
        .collect()
}
