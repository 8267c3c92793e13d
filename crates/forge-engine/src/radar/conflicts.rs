//! The radar's picture of a project, for people.

use crate::engine::Engine;
use crate::errors::EngineError;
use forge_domain::task::Snapshot;
use forge_domain::{ProjectId, TaskId, Timestamp};
use forge_store::tables::{self, radar::RadarHead};
use std::collections::{BTreeMap, BTreeSet};

/// The live branches of a project, and which of them clash.
#[derive(Debug, Clone, PartialEq)]
pub struct Conflicts {
    /// The branches, by their tasks' numbers.
    pub branches: Vec<LiveBranch>,
    /// The pairs that clash, the oldest first.
    pub pairs: Vec<Conflict>,
}

/// A branch as it was last looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct LiveBranch {
    /// Its task.
    pub task: Snapshot,
    /// Where it stands, and what is saved on top of it.
    pub head: RadarHead,
}

impl LiveBranch {
    /// Whether work counts that is not committed yet.
    pub fn is_uncommitted(&self) -> bool {
        self.head.head != self.head.content
    }
}

/// Two that clash.
#[derive(Debug, Clone, PartialEq)]
pub struct Conflict {
    /// The two, the lower number first.
    pub branches: [LiveBranch; 2],
    /// Where.
    pub files: Vec<String>,
    /// Since when.
    pub since: Timestamp,
}

impl Engine {
    /// The live branches of a project and which of them clash, as they were last looked at (M-14).
    pub async fn conflicts(&self, project: ProjectId) -> Result<Conflicts, EngineError> {
        self.project(project).await?;
        let heads = tables::radar::heads_of_project(self.db(), project).await?;
        let ids: BTreeSet<TaskId> = heads.iter().map(|head| head.task_id).collect();
        let ids: Vec<TaskId> = ids.into_iter().collect();
        let tasks = tables::tasks::load_many(self.db(), &ids).await?;
        let mut tasks: BTreeMap<TaskId, Snapshot> =
            tasks.into_iter().map(|task| (task.id, task)).collect();
        let mut branches: Vec<LiveBranch> = heads
            .into_iter()
            .filter_map(|head| Some(LiveBranch { task: tasks.remove(&head.task_id)?, head }))
            .collect();
        branches.sort_by_key(|branch| branch.task.number);
        let find = |id: TaskId| branches.iter().find(|branch| branch.task.id == id).cloned();
        let mut pairs = Vec::new();
        for pair in tables::radar::pairs_of_project(self.db(), project).await? {
            let [one, other] = pair.tasks.map(find);
            // One of them may have gone between the two questions.
            let (Some(one), Some(other)) = (one, other) else { continue };
            let mut branches = [one, other];
            branches.sort_by_key(|branch| branch.task.number);
            pairs.push(Conflict { branches, files: pair.files, since: pair.since });
        }
        Ok(Conflicts { branches, pairs })
    }
}
