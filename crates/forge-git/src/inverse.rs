use crate::command::Command;
use crate::error::GitError;
use crate::object_id::ObjectId;
use crate::person::Signature;
use crate::repo::Repo;
use crate::squash::{Merged, Squash};

const MOST_COMMITS: &str = "--max-count=1000";

impl Repo {
    /// A commit that takes back what landed with this one: all commits of a series that say the same in a trailer, the
    /// whole of a merge. No reference names it. The same inputs give the same commit.
    pub async fn make_inverse(
        &self,
        landed: &ObjectId,
        series: (&'static str, &str),
        signature: &Signature,
    ) -> Result<ObjectId, GitError> {
        let before = self.before_series(landed, series).await?;
        let tree = self.tree_of(&before).await?;
        let message = format!("the inverse of {landed}\n");
        self.commit_tree(&tree, std::slice::from_ref(landed), &message, signature).await
    }

    /// What bringing such a commit into a target would give, in the object database.
    pub async fn try_inverse(
        &self,
        target: &ObjectId,
        inverse: &ObjectId,
        landed: &ObjectId,
    ) -> Result<Squash, GitError> {
        Ok(match self.merge(target, inverse, Some(landed)).await? {
            Merged::Conflict { files, tree } => Squash::Conflict { files, tree },
            Merged::Clean { tree } if tree == self.tree_of(target).await? => Squash::Nothing,
            Merged::Clean { tree } => Squash::Clean { tree },
        })
    }

    /// The last commit on the target's own line before the series that ends with this one: all that say the same in a
    /// trailer, else this one alone.
    pub async fn before_series(
        &self,
        landed: &ObjectId,
        (trailer, value): (&'static str, &str),
    ) -> Result<ObjectId, GitError> {
        let listed = Command::read(self, "log")
            .args([MOST_COMMITS, "--first-parent", "-z"])
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
            // One that does not say so at all landed by other hands, alone.
            if before.is_some() && !words.any(said) {
                break;
            }
            before = Some(ObjectId::new(parent).map_err(|_| unexpected())?);
        }
        before.ok_or_else(unexpected)
    }
}
