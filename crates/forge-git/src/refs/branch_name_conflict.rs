use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::refs::ref_lookup;
use crate::refs::ref_name::BranchName;
use crate::repo::repository::Repo;

/// Why a branch cannot get a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BranchNameConflict {
    /// A branch has this name or a longer name below it: `feat/x` while `feat/x/y` exists.
    Taken,
    /// A branch has the name of a parent directory: `feat/x` while `feat` exists.
    ParentIsBranch(BranchName),
}

impl Repo {
    /// What prevents a new branch of this name (T-24). Git stores references as files, so a reference cannot also be
    /// a directory.
    pub async fn branch_name_conflict(
        &self,
        wanted: &BranchName,
    ) -> Result<Option<BranchNameConflict>, GitError> {
        if self.is_branch_name_taken(wanted).await? {
            return Ok(Some(BranchNameConflict::Taken));
        }
        for (end, _) in wanted.as_str().match_indices('/') {
            let Some(above) =
                wanted.as_str().get(..end).and_then(|name| BranchName::new(name).ok())
            else {
                continue;
            };
            if self.tip(&above).await?.is_some() {
                return Ok(Some(BranchNameConflict::ParentIsBranch(above)));
            }
        }
        Ok(None)
    }

    /// Whether a branch has this name or a name below it.
    async fn is_branch_name_taken(&self, wanted: &BranchName) -> Result<bool, GitError> {
        if let Some(taken) = ref_lookup::is_ref_name_taken(self.common_dir(), &wanted.to_ref()) {
            return Ok(taken);
        }
        let found = GitCommand::read(self, "for-each-ref")
            .args(["--count=1", "--format=x", "--"])
            .arg(wanted.to_ref().as_str())
            .run()
            .await?;
        Ok(!found.is_empty())
    }
}
