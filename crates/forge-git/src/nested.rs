use crate::command::Command;
use crate::error::GitError;
use crate::worktree::Worktree;

impl Worktree {
    /// Repositories inside the worktree, by path: git keeps only the names of their commits, so whoever removes the
    /// worktree would remove them with it.
    pub async fn nested_repositories(&self) -> Result<Vec<String>, GitError> {
        let links = match self.look_at_index() {
            Some(index) => index.links,
            None => self.load_links().await?,
        };
        let untracked =
            Command::read_worktree(self, "ls-files").args(["--others", "-z"]).run().await?;
        let others = untracked.split(|byte| *byte == 0).filter_map(|path| path.strip_suffix(b"/"));
        let links = links.iter().map(Vec::as_slice);
        let paths = links.chain(others).map(|path| String::from_utf8_lossy(path).into_owned());
        Ok(paths.filter(|path| self.path().join(path).join(".git").exists()).collect())
    }

    async fn load_links(&self) -> Result<Vec<Vec<u8>>, GitError> {
        let tracked =
            Command::read_worktree(self, "ls-files").args(["--stage", "-z"]).run().await?;
        let link = |entry: &[u8]| {
            let entry = entry.strip_prefix(b"160000 ")?;
            let tab = entry.iter().position(|byte| *byte == b'\t')?;
            entry.get(tab + 1..).map(<[u8]>::to_vec)
        };
        Ok(tracked.split(|byte| *byte == 0).filter_map(link).collect())
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
