use std::path::Path;

use crate::command::Command;
use crate::error::GitError;
use crate::git::Git;

impl Git {
    /// What git says about itself, such as `2.47.3`.
    pub async fn version(&self) -> Result<String, GitError> {
        let line = Command::discover(self, Path::new("/"), "version").line().await?;
        let version = line.strip_prefix("git version ").unwrap_or(&line);
        Ok(version.to_owned())
    }
}
