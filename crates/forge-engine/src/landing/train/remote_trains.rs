//! Trains of other nodes, as far as recorded effects show (M-13, D-1): their entries, without states.

use crate::command::errors::EngineError;
use crate::engine::Engine;
use crate::landing::train::train_view::{MergeTrainView, TrainEntryView};
use forge_domain::{Effect, ProjectId, RepoId, TaskId};
use forge_store::tables;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

impl Engine {
    /// The landings of a project in progress on other live nodes.
    pub(crate) async fn load_remote_trains(
        &self,
        project: ProjectId,
    ) -> Result<Vec<MergeTrainView>, EngineError> {
        let here = self.0.home.node().to_string();
        let steps =
            tables::effects::list_held_elsewhere(self.db(), project, &here, self.now()).await?;
        let landings: Vec<_> =
            steps.into_iter().filter(|step| matches!(step.effect, Effect::Land { .. })).collect();
        if landings.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<TaskId> = landings.iter().map(|step| step.task_id).collect();
        let tasks = tables::tasks::load_many(self.db(), &ids).await?;
        let tasks: HashMap<_, _> = tasks.into_iter().map(|task| (task.id, task)).collect();
        let repos = tables::repos::list_of_project(self.db(), project).await?;
        let default_of = |repo: RepoId| {
            let found = repos.iter().find(|row| row.id == repo);
            found.map(|row| row.default_branch.clone())
        };
        let mut lines: BTreeMap<(String, RepoId, String), Vec<_>> = BTreeMap::new();
        for step in &landings {
            let (Some(task), Some(node)) = (tasks.get(&step.task_id), &step.lease_node) else {
                continue;
            };
            let Some(repo) = task.repo_id else { continue };
            let target = task.merge_config.target_branch.clone().or_else(|| default_of(repo));
            let place = (Reverse(task.priority), step.created_at, task.id);
            let line = lines.entry((node.clone(), repo, target.unwrap_or_default()));
            line.or_default().push(place);
        }
        let views = lines.into_iter().map(|((node, _, target), mut places)| {
            places.sort_unstable();
            let car =
                |(_, _, task)| TrainEntryView { task, project, trial_state: None, commit: None };
            MergeTrainView {
                target,
                node: Some(node),
                window: None,
                entries: places.into_iter().map(car).collect(),
            }
        });
        Ok(views.collect())
    }
}
