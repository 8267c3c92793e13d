use std::collections::BTreeSet;

use crate::command::Command;
use crate::error::GitError;
use crate::files;
use crate::merge_place::MergePlace;
use crate::object_id::ObjectId;
use crate::person::Signature;
use crate::repo::Repo;

/// What merging a branch into its target would give. Nothing is changed by finding out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Squash {
    /// This tree.
    Clean {
        /// The merged tree.
        tree: ObjectId,
    },
    /// The target has all of it already (M-8).
    Nothing,
    /// These files clash (M-9).
    Conflict {
        /// Paths from the top level, as UTF-8 as far as they are.
        files: Vec<String>,
        /// The tree with both sides marked.
        tree: ObjectId,
    },
}

/// What a three-way merge gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Merged {
    Clean { tree: ObjectId },
    Conflict { files: Vec<String>, tree: ObjectId },
}

impl Repo {
    /// Merges in the object database, without a checkout (M-6).
    pub async fn try_squash(
        &self,
        target: &ObjectId,
        branch: &ObjectId,
    ) -> Result<Squash, GitError> {
        self.try_squash_from(target, branch, None).await
    }

    /// The same for a branch that is only what came after `fork`: what its target had before and has no more is not brought
    /// back by it.
    pub async fn try_squash_from(
        &self,
        target: &ObjectId,
        branch: &ObjectId,
        fork: Option<&ObjectId>,
    ) -> Result<Squash, GitError> {
        // Merged from there, what the target contains and took back since would look new.
        if fork.is_some() && self.is_ancestor(branch, target).await? {
            return Ok(Squash::Nothing);
        }
        let tree = match self.merge(target, branch, fork).await? {
            Merged::Conflict { files, tree } => return Ok(Squash::Conflict { files, tree }),
            Merged::Clean { tree } => tree,
        };
        // So it is with a branch that the target contains, and with one whose content came another way.
        if tree == self.tree_of(target).await? {
            Ok(Squash::Nothing)
        } else {
            Ok(Squash::Clean { tree })
        }
    }

    /// A three-way merge in the object database, from the histories' own base or from a given one.
    pub(crate) async fn merge(
        &self,
        target: &ObjectId,
        branch: &ObjectId,
        base: Option<&ObjectId>,
    ) -> Result<Merged, GitError> {
        let place = MergePlace::for_merge(self, target, branch, base).await?;
        let command = match &place {
            Some(place) => Command::merge_among(self, place, target, "merge-tree"),
            None => Command::write_objects_as_of(self, target, "merge-tree"),
        };
        let outcome = command
            .args(["--write-tree", "-z", "--name-only", "--no-messages"])
            .args(base.map(|base| format!("--merge-base={base}")))
            .args([target.as_str(), branch.as_str()])
            .outcome()
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
            return Ok(Merged::Clean { tree });
        }
        let files: BTreeSet<String> = fields
            .take_while(|field| !field.is_empty())
            .map(|field| String::from_utf8_lossy(field).into_owned())
            .collect();
        Ok(Merged::Conflict { files: files.into_iter().collect(), tree })
    }

    /// Makes a commit. The same inputs give the same commit, so repeating it after a crash changes nothing.
    pub async fn commit_tree(
        &self,
        tree: &ObjectId,
        parents: &[ObjectId],
        message: &str,
        signature: &Signature,
    ) -> Result<ObjectId, GitError> {
        let commit = files::Commit { tree, parents, message, signature };
        match commit.write(self.common_dir().to_owned()).await {
            Ok(id) => return Ok(id),
            Err(reason) => tracing::debug!(%reason, "git makes the commit"),
        }
        let parents = parents.iter().flat_map(|parent| ["-p", parent.as_str()]);
        Command::write_objects(self, "commit-tree")
            .arg(tree.as_str())
            .args(parents)
            .args(["-F", "-"])
            .signed(signature)
            .input(message)
            .object_id()
            .await
    }
}
