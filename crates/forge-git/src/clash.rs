use crate::command::Command;
use crate::error::GitError;
use crate::ref_file;
use crate::ref_name::BranchName;
use crate::repo::Repo;

/// Why a branch cannot get a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clash {
    /// A branch has it, or one whose name goes on beneath it: `feat/x` while `feat/x/y` exists.
    Taken,
    /// A branch has the name of a directory on the way: `feat/x` while `feat` exists.
    Under(BranchName),
}

impl Repo {
    /// What stands in the way of a new branch of this name (T-24): references are files to git, so one cannot be a
    /// directory too.
    pub async fn clash(&self, wanted: &BranchName) -> Result<Option<Clash>, GitError> {
        if self.is_taken(wanted).await? {
            return Ok(Some(Clash::Taken));
        }
        for (end, _) in wanted.as_str().match_indices('/') {
            let Some(above) =
                wanted.as_str().get(..end).and_then(|name| BranchName::new(name).ok())
            else {
                continue;
            };
            if self.tip(&above).await?.is_some() {
                return Ok(Some(Clash::Under(above)));
            }
        }
        Ok(None)
    }

    /// Whether a branch has the name, or one beneath it.
    async fn is_taken(&self, wanted: &BranchName) -> Result<bool, GitError> {
        if let Some(taken) = ref_file::is_taken(self.common_dir(), &wanted.to_ref()) {
            return Ok(taken);
        }
        let found = Command::read(self, "for-each-ref")
            .args(["--count=1", "--format=x", "--"])
            .arg(wanted.to_ref().as_str())
            .run()
            .await?;
        Ok(!found.is_empty())
    }
}
