use std::path::Path;

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::command::git_program::GitProgram;

impl GitProgram {
    /// The version that git reports, such as `2.47.3`.
    pub async fn version(&self) -> Result<String, GitError> {
        let line = GitCommand::discover(self, Path::new("/"), "version").output_line().await?;
        let version = line.strip_prefix("git version ").unwrap_or(&line);
        Ok(version.to_owned())
    }
}
