//! Plans a line whenever something happens to it, from what stands in it then (M-12).

use super::line::{Line, State, Tested};
use super::placing::Placement;
use super::seat::Told;
use super::settings::MergeSettings;
use super::view::CarView;
use crate::effects::Failure;
use crate::engine::Engine;
use forge_domain::train::{Order, Placed, Train};
use forge_domain::{Actor, TaskId};
use forge_git::ObjectId;
use forge_store::tables;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// What each branch gives on top of those before it, from the target upwards.
type Built = Vec<(TaskId, Placement)>;

impl Engine {
    /// Plans for a line until nobody is in it.
    pub(crate) fn conduct(&self, line: Arc<Line>) {
        let engine = self.clone();
        self.0.tasks.spawn(async move {
            let dead = engine.0.dead.clone();
            tokio::select! {
                () = dead.cancelled() => {}
                () = engine.keep_conducting(&line) => {}
            }
        });
    }

    async fn keep_conducting(&self, line: &Line) {
        loop {
            line.changed.notified().await;
            let planned = self.replan(line).await;
            let mut state = line.state();
            if let Err(error) = planned {
                let error = error.into_message();
                tracing::warn!(target = %line.target, error, "a line could not be planned");
                state.riders.values().for_each(|rider| {
                    rider.told.send_replace(Told::Failed(error.clone()));
                });
            }
            if state.riders.is_empty() {
                state.conducted = false;
                state.placed.clear();
                state.shown.clear();
                return;
            }
        }
    }

    async fn replan(&self, line: &Line) -> Result<(), Failure> {
        let paused = self.refresh_cars(line).await?;
        let Some(tip) = line.repo.tip(&line.target).await? else {
            let message =
                format!("the target branch {} does not exist; create it again", line.target);
            return Err(Failure::workspace(message));
        };
        if paused {
            self.tell(line, &Vec::new(), &BTreeMap::new());
            return Ok(());
        }
        let built = self.build(line, &tip).await?;
        let orders: BTreeMap<TaskId, Order> = {
            let mut state = line.state();
            let keys = keyed(&state, &built);
            state.train.plan(&keys).into_iter().collect()
        };
        self.tell(line, &built, &orders);
        Ok(())
    }

    /// Priorities and settings as they are now; whether the line is paused.
    async fn refresh_cars(&self, line: &Line) -> Result<bool, Failure> {
        let projects: BTreeSet<_> =
            line.state().riders.values().map(|rider| rider.project).collect();
        let (mut most_ahead, mut paused) = (usize::MAX, false);
        for project in projects {
            let settings = MergeSettings::of(&self.project(project).await?.settings)?;
            most_ahead = most_ahead.min(settings.most_ahead());
            paused |= settings.paused;
        }
        let tasks: Vec<TaskId> = line.state().riders.keys().copied().collect();
        let priorities = tables::tasks::priorities(self.db(), &tasks).await?;
        let mut state = line.state();
        state.train.set_priorities(&priorities);
        state.train.window().limit(self.0.limits.concurrent_checks, most_ahead);
        Ok(paused)
    }

    /// Puts cars on top of each other until as many are to be tried as may be.
    async fn build(&self, line: &Line, tip: &ObjectId) -> Result<Built, Failure> {
        let (mut built, mut top): (Built, ObjectId) = (Vec::new(), tip.clone());
        let mut used = HashMap::new();
        loop {
            let next = {
                let state = line.state();
                let keys = keyed(&state, &built);
                let next = state.train.next(&keys);
                next.and_then(|task| {
                    let cargo = Arc::clone(&state.riders.get(&task)?.cargo);
                    Some((task, cargo, state.placed.get(&(top.clone(), task)).cloned()))
                })
            };
            let Some((task, cargo, known)) = next else { break };
            let placement = match known {
                Some(placement) => placement,
                // Whatever is wrong with one of them is no reason for the others not to land.
                None => cargo.place(&line.repo, &top).await.unwrap_or_else(Placement::unclear),
            };
            if !matches!(placement, Placement::Unclear { .. }) {
                used.insert((top.clone(), task), placement.clone());
            }
            if let Placement::At { commit, tree, .. } = &placement {
                let tested: Tested =
                    (tree.clone(), cargo.checks.as_ref().map(|checks| checks.hash.clone()));
                self.look_up(line, &cargo, &tested).await?;
                top = commit.clone();
            }
            built.push((task, placement));
        }
        line.state().placed = used;
        Ok(built)
    }

    /// What is known of a tree without trying it: there are no checks, or they passed on it before (M-5).
    async fn look_up(
        &self,
        line: &Line,
        cargo: &super::cargo::Cargo,
        tested: &Tested,
    ) -> Result<(), Failure> {
        if line.state().train.knows(tested) {
            return Ok(());
        }
        let passed = match &cargo.checks {
            None => true,
            Some(checks) => {
                let tree = tested.0.as_str();
                self.receipt_for(cargo.repo, tree, &checks.hash).await?.is_some()
            }
        };
        if passed {
            line.state().train.know(tested.clone());
        }
        Ok(())
    }

    fn tell(&self, line: &Line, built: &Built, orders: &BTreeMap<TaskId, Order>) {
        let mut state = line.state();
        let shown = views(&state, built);
        if shown != state.shown {
            state.shown = shown;
            self.tell_people(&state, line);
        }
        for (task, rider) in &state.riders {
            let placement = built.iter().find(|(other, _)| other == task);
            let placement = placement.map(|(_, placement)| placement);
            let checks = rider.cargo.checks.as_ref().map(|checks| checks.hash.clone());
            let told = match (orders.get(task), placement) {
                (
                    Some(order @ (Order::Try | Order::TryAgain)),
                    Some(Placement::At { commit, tree, .. }),
                ) => {
                    let again = *order == Order::TryAgain;
                    let tested = (tree.clone(), checks);
                    Told::Try { commit: commit.clone(), tested, again }
                }
                (Some(Order::Land), Some(Placement::At { base, commit, tree })) => {
                    let (base, commit, tree) = (base.clone(), commit.clone(), tree.clone());
                    Told::Land { base, commit, tree }
                }
                (Some(Order::Leave), Some(Placement::At { base, commit, .. })) => {
                    Told::Leave { base: base.clone(), commit: commit.clone() }
                }
                (Some(Order::Conflict), Some(placement)) => {
                    Told::Conflict { placement: placement.clone() }
                }
                (Some(Order::Nothing), _) => Told::Nothing,
                (Some(_), _) => Told::Wait,
                (None, _) => continue,
            };
            rider.told.send_if_modified(|before| {
                let other = *before != told;
                *before = told;
                other
            });
        }
    }
}

impl Engine {
    /// Says that a train looks different now (M-13). Nobody who lands waits for that.
    fn tell_people(&self, state: &State, line: &Line) {
        let projects: BTreeSet<_> = state.riders.values().map(|rider| rider.project).collect();
        let (engine, at) = (self.clone(), self.now());
        let target = line.target.to_string();
        let cars = state.shown.len();
        self.0.tasks.spawn(async move {
            for project in projects {
                let data = serde_json::json!({ "target": target, "cars": cars });
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
                    tracing::warn!(%error, "the change of a train could not be told");
                }
            }
        });
    }
}

fn keyed(state: &State, built: &Built) -> Vec<(TaskId, Placed<Tested>)> {
    let key = |(task, placement): &(TaskId, Placement)| {
        let checks = state.riders.get(task).and_then(|rider| rider.cargo.checks.as_ref());
        let placed = match placement {
            Placement::At { tree, .. } => {
                Placed::Tree((tree.clone(), checks.map(|checks| checks.hash.clone())))
            }
            Placement::Clash { .. } | Placement::Unclear { .. } => Placed::Clash,
            Placement::Nothing => Placed::Nothing,
        };
        (*task, placed)
    };
    built.iter().map(key).collect()
}

fn views(state: &State, built: &Built) -> Vec<CarView> {
    let train: &Train<Tested> = &state.train;
    let keys = keyed(state, built);
    train
        .order()
        .into_iter()
        .filter_map(|task| {
            let rider = state.riders.get(&task)?;
            let placed = keys.iter().find(|(other, _)| *other == task).map(|(_, placed)| placed);
            let commit = built.iter().find_map(|(other, placement)| match placement {
                Placement::At { commit, .. } if *other == task => Some(commit.to_string()),
                _ => None,
            });
            Some(CarView {
                task,
                project: rider.project,
                standing: train.standing_of(task, placed),
                commit,
            })
        })
        .collect()
}
