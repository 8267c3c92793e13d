use std::collections::BTreeSet;

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::files;
use crate::merge::commit_identity::CommitSignature;
use crate::merge::merge_work_dir::MergeWorkDir;
use crate::refs::object_id::ObjectId;
use crate::repo::repository::Repo;

/// The outcome of merging a branch into its target. Computing it changes no reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SquashOutcome {
    /// The merge succeeds.
    Clean {
        /// The merged tree.
        tree: ObjectId,
    },
    /// The target contains all of the branch already (M-8).
    AlreadyMerged,
    /// These files conflict (M-9).
    Conflict {
        /// Paths from the top level, lossily converted to UTF-8.
        files: Vec<String>,
        /// The tree with the conflict markers.
        tree: ObjectId,
    },
}

/// The outcome of a three-way merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TreeMergeOutcome {
    Clean { tree: ObjectId },
    Conflict { files: Vec<String>, tree: ObjectId },
}

impl Repo {
    /// Merges in the object database, without a checkout (M-6).
    pub async fn try_squash(
        &self,
        target: &ObjectId,
        branch: &ObjectId,
    ) -> Result<SquashOutcome, GitError> {
        self.try_squash_from(target, branch, None).await
    }

    /// Like [`Repo::try_squash`] for a branch that consists only of the commits after `fork`: content that its target
    /// had before and no longer has is not brought back.
    pub async fn try_squash_from(
        &self,
        target: &ObjectId,
        branch: &ObjectId,
        fork: Option<&ObjectId>,
    ) -> Result<SquashOutcome, GitError> {
        // A merge from the fork would show content as new that the target contained and reverted since.
        if fork.is_some() && self.is_ancestor(branch, target).await? {
            return Ok(SquashOutcome::AlreadyMerged);
        }
        let tree = match self.merge_trees(target, branch, fork).await? {
            TreeMergeOutcome::Conflict { files, tree } => {
                return Ok(SquashOutcome::Conflict { files, tree });
            }
            TreeMergeOutcome::Clean { tree } => tree,
        };
        // This also covers a branch whose content reached the target in another way.
        if tree == self.tree_of(target).await? {
            Ok(SquashOutcome::AlreadyMerged)
        } else {
            Ok(SquashOutcome::Clean { tree })
        }
    }

    /// Merges three ways in the object database, from the histories' own base or from a given one.
    pub(crate) async fn merge_trees(
        &self,
        target: &ObjectId,
        branch: &ObjectId,
        base: Option<&ObjectId>,
    ) -> Result<TreeMergeOutcome, GitError> {
        let place = MergeWorkDir::prepare(self, target, branch, base).await?;
        let command = match &place {
            Some(place) => GitCommand::merge_with_files(self, place, target, "merge-tree"),
            None => GitCommand::write_objects_as_of(self, target, "merge-tree"),
        };
        let outcome = command
            .args(["--write-tree", "-z", "--name-only", "--no-messages"])
            .args(base.map(|base| format!("--merge-base={base}")))
            .args([target.as_str(), branch.as_str()])
            .output()
            .await?;
        let conflicts = match outcome.code() {
            Some(0) => false,
            Some(1) => true,
            _ => return Err(outcome.into_error()),
        };
        let unexpected = || GitError::unexpected("merge-tree", outcome.stdout());
        let mut fields = outcome.stdout().split(|byte| *byte == 0);
        let tree = fields
            .next()
            .and_then(|field| std::str::from_utf8(field).ok())
            .and_then(|text| ObjectId::new(text.trim_end()).ok())
            .ok_or_else(unexpected)?;
        if !conflicts {
            return Ok(TreeMergeOutcome::Clean { tree });
        }
        let files: BTreeSet<String> = fields
            .take_while(|field| !field.is_empty())
            .map(|field| String::from_utf8_lossy(field).into_owned())
            .collect();
        Ok(TreeMergeOutcome::Conflict { files: files.into_iter().collect(), tree })
    }

    /// Makes a commit. The same inputs give the same commit, so a repetition after a crash changes nothing.
    pub async fn commit_tree(
        &self,
        tree: &ObjectId,
        parents: &[ObjectId],
        message: &str,
        signature: &CommitSignature,
    ) -> Result<ObjectId, GitError> {
        let commit = files::NewCommit { tree, parents, message, signature };
        let (common_dir, settings_dir) = (self.common_dir(), self.settings_dir());
        match commit.write(common_dir.to_owned(), settings_dir.to_owned()).await {
            Ok(id) => return Ok(id),
            Err(reason) => tracing::debug!(%reason, "writing the commit with git"),
        }
        let parents = parents.iter().flat_map(|parent| ["-p", parent.as_str()]);
        GitCommand::write_objects(self, "commit-tree")
            .arg(tree.as_str())
            .args(parents)
            .args(["-F", "-"])
            .signed(signature)
            .input(message)
            .output_object_id()
            .await
    }
}
