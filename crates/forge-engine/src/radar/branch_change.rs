//! Finds where a task's branch is now.

use crate::effects::EffectError;
use crate::radar::check_branches::Radar;
use crate::workspace::locate::target_name;
use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::TaskStanding;
use forge_domain::{RepoId, TaskId};
use forge_git::{BranchName, MergeSide, ObjectId, Repo};
use forge_store::tables::{
    self,
    radar::{RadarHead, RadarTarget},
};
use std::collections::HashMap;
use std::path::Path;

/// What happened to a branch since the last pass.
#[derive(Debug)]
pub(crate) enum BranchChange {
    /// The branch has not moved, or another node is responsible.
    Unchanged,
    /// The branch is at this commit now.
    Moved(Box<RadarHead>),
    /// The branch is no longer live.
    Gone(TaskId),
}

/// Whether a task's branch can still land.
pub(crate) fn is_live(task: &TaskSnapshot, repo: RepoId) -> bool {
    let open = matches!(task.standing, TaskStanding::Open | TaskStanding::Submitted);
    let branch = task.workspace.as_ref().is_some_and(|workspace| !workspace.is_plain());
    open && branch && task.repo_id == Some(repo) && task.archived_at.is_none()
}

impl Radar {
    /// Compares a task's branch with its record. For an unmoved branch on an unmoved target it only reads files.
    pub(crate) async fn find_branch_change(
        &self,
        repo: &Repo,
        task: &TaskSnapshot,
        entry: Option<u64>,
        targets: &mut TargetTips<'_>,
        known: Option<&RadarHead>,
    ) -> Result<BranchChange, EffectError> {
        let gone = |known: Option<&RadarHead>| {
            known.map_or(BranchChange::Unchanged, |_| BranchChange::Gone(task.id))
        };
        let (Some(repo_id), Some(workspace)) = (task.repo_id, &task.workspace) else {
            return Ok(gone(known));
        };
        if !is_live(task, repo_id) {
            return Ok(gone(known));
        }
        // Branches of another node are in that node's repository.
        if !Path::new(&workspace.path).starts_with(self.root.path()) {
            return Ok(BranchChange::Unchanged);
        }
        let Ok(branch) = BranchName::new(workspace.branch.as_str()) else { return Ok(gone(known)) };
        let Some(head) = repo.tip(&branch).await? else { return Ok(gone(known)) };
        let number = entry.and_then(|entry| i64::try_from(entry).ok());
        let target = targets.load(repo, task).await?;
        let same = known.is_some_and(|known| {
            known.head == head.as_str() && known.entry == number && is_same(known, target.as_ref())
        });
        if same {
            return Ok(BranchChange::Unchanged);
        }
        let side = repo.task_side(&head, &task.id.to_string(), entry).await?;
        Ok(BranchChange::Moved(Box::new(RadarHead {
            task_id: task.id,
            project_id: task.project_id,
            repo_id,
            head: side.head.to_string(),
            content: side.content.to_string(),
            tree: side.tree.to_string(),
            entry: number,
            target,
        })))
    }
}

fn is_same(known: &RadarHead, target: Option<&RadarTarget>) -> bool {
    let place = |target: &RadarTarget| (target.branch.clone(), target.head.clone());
    known.target.as_ref().map(place) == target.map(place)
}

/// The tips of a repository's target branches, each read once.
#[derive(Debug)]
pub(crate) struct TargetTips<'r> {
    row: &'r tables::repos::RepoRow,
    tips: HashMap<String, Option<ObjectId>>,
}

impl<'r> TargetTips<'r> {
    pub(crate) fn new(row: &'r tables::repos::RepoRow) -> Self {
        Self { row, tips: HashMap::new() }
    }

    /// The target of a task as it is now, without a conflict result.
    async fn load(
        &mut self,
        repo: &Repo,
        task: &TaskSnapshot,
    ) -> Result<Option<RadarTarget>, EffectError> {
        let branch = target_name(task, self.row);
        let tip = match self.tips.get(&branch) {
            Some(tip) => tip.clone(),
            None => {
                let tip = match BranchName::new(branch.clone()) {
                    Ok(name) => repo.tip(&name).await?,
                    Err(_) => None,
                };
                self.tips.insert(branch.clone(), tip.clone());
                tip
            }
        };
        let target = |tip: ObjectId| RadarTarget {
            branch,
            head: tip.to_string(),
            fork: None,
            conflict: None,
        };
        Ok(tip.map(target))
    }
}

/// A recorded branch as one side of a merge.
pub(crate) fn merge_side(head: &RadarHead) -> Result<MergeSide, EffectError> {
    let fork = head.target.as_ref().and_then(|target| target.fork.as_ref());
    Ok(MergeSide {
        head: parse_object_id(&head.head)?,
        content: parse_object_id(&head.content)?,
        tree: parse_object_id(&head.tree)?,
        fork: fork.map(|fork| parse_object_id(fork)).transpose()?,
    })
}

/// Parses a recorded object id.
pub(crate) fn parse_object_id(text: &str) -> Result<ObjectId, EffectError> {
    ObjectId::new(text).map_err(EffectError::transient)
}
