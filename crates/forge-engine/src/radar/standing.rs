//! Where a task's branch stands now.

use crate::effects::Failure;
use crate::engine::Engine;
use forge_domain::task::Snapshot;
use forge_domain::workflow::Standing;
use forge_domain::{RepoId, TaskId};
use forge_git::{BranchName, ObjectId, Repo, Side};
use forge_store::tables::radar::RadarHead;
use std::path::Path;

/// What became of a branch since it was last looked at.
#[derive(Debug)]
pub(super) enum Now {
    /// It is where it was, or somebody else's to look at.
    Same,
    /// It stands here.
    Moved(RadarHead),
    /// It is not live any more.
    Gone(TaskId),
}

/// Whether a task's branch can still land.
pub(super) fn is_live(task: &Snapshot, repo: RepoId) -> bool {
    let open = matches!(task.standing, Standing::Open | Standing::Submitted);
    let branch = task.workspace.as_ref().is_some_and(|workspace| !workspace.is_plain());
    open && branch && task.repo_id == Some(repo) && task.archived_at.is_none()
}

impl Engine {
    /// Compares a task with what is on record. Only files are read for one that has not moved.
    pub(super) async fn standing_of(
        &self,
        repo: &Repo,
        task: &Snapshot,
        entry: Option<u64>,
        known: Option<&RadarHead>,
    ) -> Result<Now, Failure> {
        let gone = |known: Option<&RadarHead>| known.map_or(Now::Same, |_| Now::Gone(task.id));
        let (Some(repo_id), Some(workspace)) = (task.repo_id, &task.workspace) else {
            return Ok(gone(known));
        };
        if !is_live(task, repo_id) {
            return Ok(gone(known));
        }
        // The branches of another node are in that node's repository.
        if !Path::new(&workspace.path).starts_with(self.0.root.path()) {
            return Ok(Now::Same);
        }
        let Ok(branch) = BranchName::new(workspace.branch.as_str()) else { return Ok(gone(known)) };
        let Some(head) = repo.tip(&branch).await? else { return Ok(gone(known)) };
        let number = entry.and_then(|entry| i64::try_from(entry).ok());
        let same = known.is_some_and(|known| known.head == head.as_str() && known.entry == number);
        if same {
            return Ok(Now::Same);
        }
        let side = repo.side_of(&head, &task.id.to_string(), entry).await?;
        Ok(Now::Moved(RadarHead {
            task_id: task.id,
            project_id: task.project_id,
            repo_id,
            head: side.head.to_string(),
            content: side.content.to_string(),
            tree: side.tree.to_string(),
            entry: number,
        }))
    }
}

/// A branch on record as one side of a merge.
pub(super) fn side(head: &RadarHead) -> Result<Side, Failure> {
    let id = |text: &String| {
        ObjectId::new(text.as_str()).map_err(|error| Failure::Passing(error.to_string()))
    };
    Ok(Side { head: id(&head.head)?, content: id(&head.content)?, tree: id(&head.tree)? })
}
