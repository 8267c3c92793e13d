use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::fs::regular_file::read_regular;
use crate::worktree::worktree_handle::Worktree;

impl Worktree {
    /// The paths of repositories inside the worktree. Git stores only their commit ids, so removing the worktree
    /// would delete their content.
    pub async fn nested_repositories(&self) -> Result<Vec<String>, GitError> {
        let links = match self.read_index_file() {
            Some(index) => index.gitlinks,
            None => self.load_gitlinks().await?,
        };
        let untracked =
            GitCommand::read_worktree(self, "ls-files").args(["--others", "-z"]).run().await?;
        let others = untracked.split(|byte| *byte == 0).filter_map(|path| path.strip_suffix(b"/"));
        let links = links.iter().map(Vec::as_slice);
        let paths = links.chain(others).map(|path| String::from_utf8_lossy(path).into_owned());
        Ok(paths.filter(|path| self.path().join(path).join(".git").exists()).collect())
    }

    async fn load_gitlinks(&self) -> Result<Vec<Vec<u8>>, GitError> {
        let tracked =
            GitCommand::read_worktree(self, "ls-files").args(["--stage", "-z"]).run().await?;
        let link = |entry: &[u8]| {
            let entry = entry.strip_prefix(b"160000 ")?;
            let tab = entry.iter().position(|byte| *byte == b'\t')?;
            entry.get(tab + 1..).map(<[u8]>::to_vec)
        };
        Ok(tracked.split(|byte| *byte == 0).filter_map(link).collect())
    }

    /// The submodule paths in the worktree's `.gitmodules`.
    pub(crate) async fn load_submodule_paths(&self) -> Vec<String> {
        let text = read_regular(&self.path().join(".gitmodules")).unwrap_or_default();
        String::from_utf8_lossy(&text)
            .lines()
            .filter_map(|line| line.trim().strip_prefix("path"))
            .filter_map(|rest| rest.trim_start().strip_prefix('='))
            .map(|path| path.trim().to_owned())
            .collect()
    }
}
