//! Trains of other nodes, as far as recorded effects show (M-13, D-1): their entries, without states.

use crate::command::errors::EngineError;
use crate::landing::train::train_view::{MergeTrainView, TrainEntryView, TrainViews};
use forge_domain::{Effect, ProjectId, RepoId, TaskId};
use forge_store::tables;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

impl TrainViews {
    /// The landings of a project in progress on other live nodes.
    pub(crate) async fn load_remote_trains(
        &self,
        project: ProjectId,
    ) -> Result<Vec<MergeTrainView>, EngineError> {
        let here = self.home.node().to_string();
        let effects =
            tables::effects::list_held_elsewhere(&self.db, project, &here, self.clock.now())
                .await?;
        let landings: Vec<_> = effects
            .into_iter()
            .filter(|effect| matches!(effect.effect, Effect::Land { .. }))
            .collect();
        if landings.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<TaskId> = landings.iter().map(|effect| effect.task_id).collect();
        let tasks = tables::tasks::load_many(&self.db, &ids).await?;
        let tasks: HashMap<_, _> = tasks.into_iter().map(|task| (task.id, task)).collect();
        let repos = tables::repos::list_of_project(&self.db, project).await?;
        let default_of = |repo: RepoId| {
            let found = repos.iter().find(|row| row.id == repo);
            found.map(|row| row.default_branch.clone())
        };
        let mut trains: BTreeMap<(String, RepoId, String), Vec<_>> = BTreeMap::new();
        for effect in &landings {
            let (Some(task), Some(node)) = (tasks.get(&effect.task_id), &effect.lease_node) else {
                continue;
            };
            let Some(repo) = task.repo_id else { continue };
            let target = task.merge_config.target_branch.clone().or_else(|| default_of(repo));
            let position = (Reverse(task.priority), effect.created_at, task.id);
            let train = trains.entry((node.clone(), repo, target.unwrap_or_default()));
            train.or_default().push(position);
        }
        let views = trains.into_iter().map(|((node, _, target), mut entries)| {
            entries.sort_unstable();
            let entry =
                |(_, _, task)| TrainEntryView { task, project, trial_state: None, commit: None };
            MergeTrainView {
                target,
                node: Some(node),
                window: None,
                entries: entries.into_iter().map(entry).collect(),
            }
        });
        Ok(views.collect())
    }
}
