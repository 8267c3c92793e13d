use std::path::PathBuf;

use crate::command::Command;
use crate::error::GitError;
use crate::lock::LockedRepo;
use crate::object_id::ObjectId;
use crate::ref_name::BranchName;

/// Why a branch was not moved or deleted. It is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// It is not where the caller saw it: contention, to be tried again from the start (M-9).
    #[error("the branch {branch} moved to {} meanwhile; look again", actual.as_ref().map_or("nowhere", |id| id.as_str()))]
    Moved {
        /// The branch.
        branch: BranchName,
        /// Where it is; `None` when it is gone.
        actual: Option<ObjectId>,
    },
    /// It is checked out and therefore not deleted.
    #[error("the branch {branch} is checked out at {}; remove that checkout first", path.display())]
    CheckedOut {
        /// The branch.
        branch: BranchName,
        /// Where.
        path: PathBuf,
    },
    /// Git failed otherwise.
    #[error(transparent)]
    Git(#[from] GitError),
}

impl LockedRepo {
    /// Moves a branch if it still is where the caller saw it. Repeating a move that was done is fine.
    pub async fn move_branch(
        &self,
        branch: &BranchName,
        new: &ObjectId,
        expected_old: &ObjectId,
        reason: &str,
    ) -> Result<(), MoveError> {
        let outcome = Command::write_refs(self, "update-ref")?
            .args(["--create-reflog", "-m"])
            .arg(reason.replace(char::is_control, " "))
            .arg(branch.to_ref().as_str())
            .args([new.as_str(), expected_old.as_str()])
            .outcome_to_the_end()
            .await?;
        if outcome.code() == Some(0) {
            return Ok(());
        }
        match self.repo().tip(branch).await? {
            Some(actual) if actual == *new => Ok(()),
            Some(actual) if actual == *expected_old => Err(outcome.into_error().into()),
            actual => Err(MoveError::Moved { branch: branch.clone(), actual }),
        }
    }

    /// Deletes a branch if it still is where the caller saw it and nobody has it checked out: whether it was there.
    pub async fn delete_branch(
        &self,
        branch: &BranchName,
        expected: &ObjectId,
    ) -> Result<bool, MoveError> {
        let Some(tip) = self.repo().tip(branch).await? else {
            return Ok(false);
        };
        if tip != *expected {
            return Err(MoveError::Moved { branch: branch.clone(), actual: Some(tip) });
        }
        if let Some(checkout) = self.repo().checkouts_of(branch).await?.first() {
            return Err(MoveError::CheckedOut {
                branch: branch.clone(),
                path: checkout.path().to_owned(),
            });
        }
        let outcome = Command::write_refs(self, "update-ref")?
            .arg("-d")
            .arg(branch.to_ref().as_str())
            .arg(expected.as_str())
            .outcome_to_the_end()
            .await?;
        if outcome.code() == Some(0) {
            return Ok(true);
        }
        match self.repo().tip(branch).await? {
            None => Ok(false),
            Some(actual) if actual == *expected => Err(outcome.into_error().into()),
            actual => Err(MoveError::Moved { branch: branch.clone(), actual }),
        }
    }
}
