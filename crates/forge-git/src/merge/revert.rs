use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::merge::commit_identity::CommitSignature;
use crate::merge::squash::{SquashOutcome, TreeMergeOutcome};
use crate::refs::object_id::ObjectId;
use crate::repo::repository::Repo;

const MAX_COMMITS: &str = "--max-count=1000";

impl Repo {
    /// Makes a commit that undoes what landed with `landed`: all commits of a series that carry the same trailer
    /// value, or a whole merge. No reference names the commit. The same inputs give the same commit.
    pub async fn make_revert(
        &self,
        landed: &ObjectId,
        series: (&'static str, &str),
        signature: &CommitSignature,
    ) -> Result<ObjectId, GitError> {
        let before = self.commit_before_series(landed, series).await?;
        self.make_revert_to(landed, &before, signature).await
    }

    /// Like [`Repo::make_revert`], back to a commit that the caller knows.
    pub async fn make_revert_to(
        &self,
        landed: &ObjectId,
        before: &ObjectId,
        signature: &CommitSignature,
    ) -> Result<ObjectId, GitError> {
        let tree = self.tree_of(before).await?;
        let message = format!("the inverse of {landed}\n");
        self.commit_tree(&tree, std::slice::from_ref(landed), &message, signature).await
    }

    /// Computes what applying a revert commit to a target gives, in the object database.
    pub async fn try_revert(
        &self,
        target: &ObjectId,
        inverse: &ObjectId,
        landed: &ObjectId,
    ) -> Result<SquashOutcome, GitError> {
        Ok(match self.merge_trees(target, inverse, Some(landed)).await? {
            TreeMergeOutcome::Conflict { files, tree } => SquashOutcome::Conflict { files, tree },
            TreeMergeOutcome::Clean { tree } if tree == self.tree_of(target).await? => {
                SquashOutcome::AlreadyMerged
            }
            TreeMergeOutcome::Clean { tree } => SquashOutcome::Clean { tree },
        })
    }

    /// The first-parent commit before the series that ends with `landed`. A series is all commits with the same
    /// trailer value, or `landed` alone.
    pub async fn commit_before_series(
        &self,
        landed: &ObjectId,
        (trailer, value): (&'static str, &str),
    ) -> Result<ObjectId, GitError> {
        let listed = GitCommand::read(self, "log")
            .args([MAX_COMMITS, "--first-parent", "-z"])
            .arg(format!("--format=%P %(trailers:key={trailer},valueonly,separator=%x2C)"))
            .arg(landed.as_str())
            .arg("--")
            .run()
            .await?;
        let unexpected = || GitError::unexpected("log", &listed);
        let text = String::from_utf8_lossy(&listed);
        let mut before = None;
        for line in text.split('\0') {
            let said = |word: &str| word.split(',').any(|word| word.trim() == value);
            let mut words = line.trim().split(' ');
            let parent = words.next().unwrap_or_default();
            // A commit without this trailer value is not part of the series.
            if before.is_some() && !words.any(said) {
                break;
            }
            before = Some(ObjectId::new(parent).map_err(|_| unexpected())?);
        }
        before.ok_or_else(unexpected)
    }
}
