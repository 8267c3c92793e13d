use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::refs::ref_name::BranchName;
use crate::repo::repository::Repo;

impl Repo {
    /// The last commits of a branch as `git log --oneline --graph` prints them, newest first, at most `most` commits.
    pub async fn log_lines(&self, branch: &BranchName, most: u32) -> Result<Vec<String>, GitError> {
        let output = GitCommand::read(self, "log")
            .args(["--graph", "--format=%h %s", "--no-color", "--no-decorate"])
            // A repository's settings could start a program to check each signature.
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
