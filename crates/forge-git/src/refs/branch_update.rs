use std::path::PathBuf;

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::command::git_output::GitOutput;
use crate::refs::object_id::ObjectId;
use crate::refs::ref_name::BranchName;
use crate::repo::repo_lock::LockedRepo;

/// Why a branch was not moved or deleted. The branch is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum BranchMoveError {
    /// The branch is not where the caller expected it; the caller starts again (M-9).
    #[error("the branch {branch} moved to {} meanwhile; look again", actual.as_ref().map_or("nowhere", |id| id.as_str()))]
    Moved {
        branch: BranchName,
        /// The commit it points to now; `None` if the branch is gone.
        actual: Option<ObjectId>,
    },
    /// Another git process holds the branch's lock, or died while it held it.
    #[error("another git holds {}; wait for it, or remove the file if none runs", lock.display())]
    Locked { lock: PathBuf },
    /// The branch is checked out, so it is not deleted.
    #[error("the branch {branch} is checked out at {}; remove that checkout first", path.display())]
    CheckedOut { branch: BranchName, path: PathBuf },
    /// Any other failure of git.
    #[error(transparent)]
    Git(#[from] GitError),
}

impl LockedRepo {
    /// Moves a branch if it still points to `expected_old`. Repeating a completed move is no error.
    pub async fn move_branch(
        &self,
        branch: &BranchName,
        new: &ObjectId,
        expected_old: &ObjectId,
        reason: &str,
    ) -> Result<(), BranchMoveError> {
        let outcome = GitCommand::write_refs(self, "update-ref")?
            .args(["--create-reflog", "-m"])
            .arg(reason.replace(char::is_control, " "))
            .arg(branch.to_ref().as_str())
            .args([new.as_str(), expected_old.as_str()])
            .output_uncancelled()
            .await?;
        if outcome.code() == Some(0) {
            return Ok(());
        }
        match self.repo().tip(branch).await? {
            Some(actual) if actual == *new => Ok(()),
            Some(actual) if actual == *expected_old => {
                Err(self.explain_refused_move(branch, outcome))
            }
            actual => Err(BranchMoveError::Moved { branch: branch.clone(), actual }),
        }
    }

    fn explain_refused_move(&self, branch: &BranchName, outcome: GitOutput) -> BranchMoveError {
        let common = self.repo().common_dir();
        let locks = [format!("{}.lock", branch.to_ref().as_str()), "packed-refs.lock".to_owned()];
        let mut locks = locks.iter().map(|name| common.join(name));
        let said = outcome.stderr();
        match locks.find(|lock| said.contains(".lock") && lock.symlink_metadata().is_ok()) {
            Some(lock) => BranchMoveError::Locked { lock },
            None => outcome.into_error().into(),
        }
    }

    /// Deletes a branch if it still points to `expected` and no checkout uses it. Returns whether the branch existed.
    pub async fn delete_branch(
        &self,
        branch: &BranchName,
        expected: &ObjectId,
    ) -> Result<bool, BranchMoveError> {
        let Some(tip) = self.repo().tip(branch).await? else {
            return Ok(false);
        };
        if tip != *expected {
            return Err(BranchMoveError::Moved { branch: branch.clone(), actual: Some(tip) });
        }
        if let Some(checkout) = self.repo().checkouts_of(branch).await?.first() {
            return Err(BranchMoveError::CheckedOut {
                branch: branch.clone(),
                path: checkout.path().to_owned(),
            });
        }
        let outcome = GitCommand::write_refs(self, "update-ref")?
            .arg("-d")
            .arg(branch.to_ref().as_str())
            .arg(expected.as_str())
            .output_uncancelled()
            .await?;
        if outcome.code() == Some(0) {
            return Ok(true);
        }
        match self.repo().tip(branch).await? {
            None => Ok(false),
            Some(actual) if actual == *expected => Err(outcome.into_error().into()),
            actual => Err(BranchMoveError::Moved { branch: branch.clone(), actual }),
        }
    }
}
