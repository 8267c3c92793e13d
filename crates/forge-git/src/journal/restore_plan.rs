use std::collections::BTreeMap;

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::journal::journal_entry::JournalEntry;
use crate::journal::restore::BranchOnRestore;
use crate::merge::commit_identity::CommitSignature;
use crate::merge::merge_work_dir::MergeWorkDir;
use crate::refs::object_id::ObjectId;
use crate::repo::repository::Repo;

/// The files and the branch position after a journal entry is restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestorePlan {
    pub(crate) number: u64,
    pub(crate) tree: ObjectId,
    /// The new commit of the branch, if it moves.
    pub(crate) branch_to: Option<ObjectId>,
    /// The stages of each conflict by path, in the format of `git update-index -z --index-info`.
    conflicts: BTreeMap<Vec<u8>, Vec<u8>>,
}

impl RestorePlan {
    /// The entry's files exactly as saved. Safe only if the branch left its target at the same commit as the entry,
    /// or moves to the entry's commit: otherwise the files would undo what landed in between.
    pub fn as_saved(entry: &JournalEntry, pointer: BranchOnRestore) -> Self {
        let branch_to = match pointer {
            BranchOnRestore::Keep => None,
            BranchOnRestore::MoveToEntry => entry.head.clone(),
        };
        let (number, tree) = (entry.number, entry.tree.clone());
        Self { number, tree, branch_to, conflicts: BTreeMap::new() }
    }

    /// The paths that both the entry and later landings changed. They contain both sides between git's conflict
    /// markers.
    pub fn conflicts(&self) -> Vec<String> {
        self.conflicts.keys().map(|path| String::from_utf8_lossy(path).into_owned()).collect()
    }

    /// The index entries of the conflicts, in the format of `git update-index -z --index-info`.
    pub(crate) fn unmerged(&self) -> Vec<u8> {
        let zeros = "0".repeat(self.tree.as_str().len());
        let mut entries = Vec::new();
        for (path, stages) in &self.conflicts {
            // Remove the merged entry first: an index holds either that entry or the stages of a conflict.
            entries.extend_from_slice(format!("0 {zeros}\t").as_bytes());
            entries.extend_from_slice(path);
            entries.push(0);
            entries.extend_from_slice(stages);
        }
        entries
    }
}

impl Repo {
    /// Plans the restore of an entry into a worktree whose branch stays at `head`. If the branch left the target at
    /// another commit than the entry did, only the entry's change is applied to the branch's own base, by a three-way
    /// merge. `None` if the two histories share no commit.
    pub async fn plan_restore(
        &self,
        entry: &JournalEntry,
        head: Option<&ObjectId>,
        target: &ObjectId,
    ) -> Result<Option<RestorePlan>, GitError> {
        let as_saved = || Ok(Some(RestorePlan::as_saved(entry, BranchOnRestore::Keep)));
        let (Some(head), Some(saved_at)) = (head, &entry.head) else { return as_saved() };
        if head == saved_at {
            return as_saved();
        }
        let base = self.merge_base(target, saved_at).await?;
        let onto = self.merge_base(target, head).await?;
        match (base, onto) {
            (Some(base), Some(onto)) if base != onto => {
                self.apply_entry(entry, &base, &onto).await.map(Some)
            }
            (None, Some(_)) | (Some(_), None) => Ok(None),
            _ => as_saved(),
        }
    }

    /// Adds landings on the worktree's own branch since the entry to the plan, oldest first: each commit's change is
    /// merged into the planned files, which would undo it otherwise.
    pub async fn keep_landings(
        &self,
        mut plan: RestorePlan,
        landings: &[ObjectId],
        signature: &CommitSignature,
    ) -> Result<RestorePlan, GitError> {
        for landing in landings {
            let planned = self.commit_tree(&plan.tree, &[], "planned files", signature).await?;
            let before = self.first_parent(landing).await?;
            self.merge_into_plan(&mut plan, &planned, landing, &before).await?;
        }
        Ok(plan)
    }

    /// Merges the change from `base` to the entry into `onto`, in the object database.
    async fn apply_entry(
        &self,
        entry: &JournalEntry,
        base: &ObjectId,
        onto: &ObjectId,
    ) -> Result<RestorePlan, GitError> {
        let mut plan = RestorePlan::as_saved(entry, BranchOnRestore::Keep);
        self.merge_into_plan(&mut plan, onto, &entry.commit, base).await?;
        Ok(plan)
    }

    /// Sets the plan's files to `ours` plus the change from `base` to `theirs`. Existing conflicts of the plan stay.
    async fn merge_into_plan(
        &self,
        plan: &mut RestorePlan,
        ours: &ObjectId,
        theirs: &ObjectId,
        base: &ObjectId,
    ) -> Result<(), GitError> {
        let place = MergeWorkDir::prepare(self, ours, theirs, Some(base)).await?;
        let command = match &place {
            Some(place) => GitCommand::merge_with_files(self, place, ours, "merge-tree"),
            None => GitCommand::write_objects_as_of(self, ours, "merge-tree"),
        };
        let outcome = command
            .args(["--write-tree", "-z", "--no-messages"])
            .arg(format!("--merge-base={base}"))
            .args([ours.as_str(), theirs.as_str()])
            .output()
            .await?;
        if !matches!(outcome.code(), Some(0 | 1)) {
            return Err(outcome.into_error());
        }
        let mut fields = outcome.stdout().split(|byte| *byte == 0);
        plan.tree = fields
            .next()
            .and_then(|field| std::str::from_utf8(field).ok())
            .and_then(|text| ObjectId::new(text.trim_end()).ok())
            .ok_or_else(|| GitError::unexpected("merge-tree", outcome.stdout()))?;
        let mut conflicts: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
        for stage in fields.take_while(|field| !field.is_empty()) {
            let Some(path) = stage_path(stage) else { continue };
            let stages = conflicts.entry(path.to_owned()).or_default();
            stages.extend_from_slice(stage);
            stages.push(0);
        }
        plan.conflicts.extend(conflicts);
        Ok(())
    }
}

/// The path in one stage of a conflict (`mode object stage<TAB>path`).
fn stage_path(stage: &[u8]) -> Option<&[u8]> {
    let tab = stage.iter().position(|byte| *byte == b'\t')?;
    stage.get(tab + 1..)
}
