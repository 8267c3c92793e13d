//! The radar's view of a project, for users.

use crate::command::errors::EngineError;
use crate::radar::check_branches::Radar;
use forge_domain::task::TaskSnapshot;
use forge_domain::{ProjectId, TaskId, Timestamp};
use forge_store::tables::{self, radar::RadarHead};
use std::collections::{BTreeMap, BTreeSet};

/// The live branches of a project, and which of them conflict.
#[derive(Debug, Clone, PartialEq)]
pub struct ProjectConflicts {
    /// The branches, by task number.
    pub branches: Vec<RadarBranch>,
    /// The conflicting pairs, oldest first.
    pub pairs: Vec<BranchConflict>,
}

/// A branch as last examined.
#[derive(Debug, Clone, PartialEq)]
pub struct RadarBranch {
    pub task: TaskSnapshot,
    /// Its commit, and the saved state on top of it.
    pub head: RadarHead,
}

impl RadarBranch {
    /// Whether the branch includes uncommitted work.
    pub fn is_uncommitted(&self) -> bool {
        self.head.head != self.head.content
    }
}

/// Two conflicting branches.
#[derive(Debug, Clone, PartialEq)]
pub struct BranchConflict {
    /// The two branches, lower task number first.
    pub branches: [RadarBranch; 2],
    pub files: Vec<String>,
    pub since: Timestamp,
}

impl Radar {
    /// The live branches of a project and their conflicts, as last examined (M-14).
    pub async fn conflicts(&self, project: ProjectId) -> Result<ProjectConflicts, EngineError> {
        self.records.project(project).await?;
        let heads = tables::radar::heads_of_project(&self.db, project).await?;
        let ids: BTreeSet<TaskId> = heads.iter().map(|head| head.task_id).collect();
        let ids: Vec<TaskId> = ids.into_iter().collect();
        let tasks = tables::tasks::load_many(&self.db, &ids).await?;
        let mut tasks: BTreeMap<TaskId, TaskSnapshot> =
            tasks.into_iter().map(|task| (task.id, task)).collect();
        let mut branches: Vec<RadarBranch> = heads
            .into_iter()
            .filter_map(|head| Some(RadarBranch { task: tasks.remove(&head.task_id)?, head }))
            .collect();
        branches.sort_by_key(|branch| branch.task.number);
        let find = |id: TaskId| branches.iter().find(|branch| branch.task.id == id).cloned();
        let mut pairs = Vec::new();
        for pair in tables::radar::pairs_of_project(&self.db, project).await? {
            let [one, other] = pair.tasks.map(find);
            // A branch may have gone between the two queries.
            let (Some(one), Some(other)) = (one, other) else { continue };
            let mut branches = [one, other];
            branches.sort_by_key(|branch| branch.task.number);
            pairs.push(BranchConflict { branches, files: pair.files, since: pair.since });
        }
        Ok(ProjectConflicts { branches, pairs })
    }
}
