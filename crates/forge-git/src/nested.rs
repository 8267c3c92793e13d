use crate::command::Command;
use crate::error::GitError;
use crate::worktree::Worktree;

impl Worktree {
    /// Repositories inside the worktree, by path: git keeps only the names of their commits, so whoever removes the
    /// worktree would remove them with it.
    pub async fn nested_repositories(&self) -> Result<Vec<String>, GitError> {
        let tracked =
            Command::read_worktree(self, "ls-files").args(["--stage", "-z"]).run().await?;
        let links = tracked.split(|byte| *byte == 0).filter_map(|entry| {
            let entry = entry.strip_prefix(b"160000 ")?;
            entry.iter().position(|byte| *byte == b'\t').and_then(|tab| entry.get(tab + 1..))
        });
        let untracked =
            Command::read_worktree(self, "ls-files").args(["--others", "-z"]).run().await?;
        let others = untracked.split(|byte| *byte == 0).filter_map(|path| path.strip_suffix(b"/"));
        let paths = links.chain(others).map(|path| String::from_utf8_lossy(path).into_owned());
        Ok(paths.filter(|path| self.path().join(path).join(".git").exists()).collect())
    }

    /// Where the worktree's own `.gitmodules` says that submodules are.
    pub(crate) async fn load_submodule_paths(&self) -> Vec<String> {
        let text = tokio::fs::read_to_string(self.path().join(".gitmodules")).await;
        text.unwrap_or_default()
            .lines()
            .filter_map(|line| line.trim().strip_prefix("path"))
            .filter_map(|rest| rest.trim_start().strip_prefix('='))
            .map(|path| path.trim().to_owned())
            .collect()
    }
}
