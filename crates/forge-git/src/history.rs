use crate::command::Command;
use crate::error::GitError;
use crate::ref_name::BranchName;
use crate::repo::Repo;

impl Repo {
    /// The last commits of a branch as `git log --oneline --graph` draws them, newest first, at most `most` commits.
    pub async fn log_lines(&self, branch: &BranchName, most: u32) -> Result<Vec<String>, GitError> {
        let output = Command::read(self, "log")
            .args(["--graph", "--format=%h %s", "--no-color", "--no-decorate"])
            // A repository's settings could have a program check each signature.
            .args(["--no-show-signature", "--no-notes"])
            .arg(format!("--max-count={most}"))
            .arg("--end-of-options")
            .arg(branch.to_ref().as_str())
            .run()
            .await?;
        let text = String::from_utf8_lossy(&output);
        Ok(text.lines().map(|line| line.trim_end().to_owned()).collect())
    }
}
