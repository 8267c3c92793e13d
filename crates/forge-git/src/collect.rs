use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::command::Command;
use crate::error::GitError;
use crate::object_id::ObjectId;
use crate::person::Signature;
use crate::worktree::{HeldWorktree, Worktree};

const NESTED: &str =
    "a repository of its own is in the way; remove its .git, or add it as a submodule";

/// The state of a worktree after everything in it was committed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collected {
    /// The branch's commit now.
    pub head: ObjectId,
    /// Whether there was anything to commit.
    pub changed: bool,
}

impl HeldWorktree {
    /// Commits whatever is left, untracked files included, without running hooks (E-6).
    pub async fn commit_all(
        &self,
        message: &str,
        signature: &Signature,
    ) -> Result<Collected, GitError> {
        self.drop_lock_files().await?;
        self.refuse_unmerged().await?;
        let mut added = self.add_all().await;
        // A git that was killed just now can leave its lock behind after we looked for one.
        if added.is_err() && !self.lock_files().is_empty() {
            self.drop_lock_files().await?;
            added = self.add_all().await;
        }
        if let Err(error) = added {
            // Git stops at a repository without a commit, and says no more than that it failed.
            self.refuse_repositories().await?;
            return Err(error);
        }
        let staged = self.load_staged().await?;
        self.refuse_nested(&staged).await?;
        let changed = !staged.is_empty() || self.is_merging().await;
        if changed {
            Command::write_worktree(self, "commit")
                .args(["--quiet", "--no-verify", "--no-gpg-sign", "--allow-empty"])
                .args(["--cleanup=verbatim", "--allow-empty-message", "--file=-"])
                .signed(signature)
                .input(message)
                .run()
                .await?;
        }
        Ok(Collected { head: self.head().await?, changed })
    }

    async fn add_all(&self) -> Result<(), GitError> {
        // A person's sparse checkout is their worktrees' too; what an agent made outside of it is work all the same.
        Command::write_worktree(self, "add").args(["--all", "--sparse", "--", "."]).run().await?;
        Ok(())
    }
}

impl Worktree {
    /// A merge that was left in conflict: committing it would make the conflict marks part of the work.
    async fn refuse_unmerged(&self) -> Result<(), GitError> {
        let unmerged: BTreeSet<Vec<u8>> = match self.look_at_index() {
            Some(index) => index.unmerged.into_iter().collect(),
            None => self.load_unmerged().await?,
        };
        let reason = "a merge was left in conflict; resolve or abort it";
        let conflicted = unmerged.iter().filter(|path| self.has_marks(path));
        refuse(reason, conflicted.map(Vec::as_slice))
    }

    async fn load_unmerged(&self) -> Result<BTreeSet<Vec<u8>>, GitError> {
        // From the index alone: it says nothing of the other files, so none of them has to be looked at.
        let listed =
            Command::read_worktree(self, "ls-files").args(["--unmerged", "-z"]).run().await?;
        let path = |entry: &[u8]| {
            let tab = entry.iter().position(|byte| *byte == b'\t')?;
            entry.get(tab + 1..).map(<[u8]>::to_vec)
        };
        Ok(listed.split(|byte| *byte == 0).filter_map(path).collect())
    }

    /// Whether git's conflict marks still stand in a file. One that was resolved but not added is as good as added.
    fn has_marks(&self, path: &[u8]) -> bool {
        let file = self.path().join(OsStr::from_bytes(path));
        let content = std::fs::read(file).unwrap_or_default();
        content.split(|byte| *byte == b'\n').any(|line| line.starts_with(b"<<<<<<< "))
    }

    /// What the next commit changes: pairs of a raw change (`:old-mode new-mode …`) and its path.
    async fn load_staged(&self) -> Result<Vec<(Vec<u8>, Vec<u8>)>, GitError> {
        let staged = Command::read_worktree(self, "diff-index")
            .args(["--cached", "--raw", "-z", "--no-renames", "--ignore-submodules=none"])
            .args(["HEAD", "--"])
            .run()
            .await?;
        let fields: Vec<&[u8]> = staged.split(|byte| *byte == 0).collect();
        let pair = |pair: &[&[u8]]| match pair {
            [change, path] => Some((change.to_vec(), path.to_vec())),
            _ => None,
        };
        Ok(fields.chunks(2).filter_map(pair).collect())
    }

    /// A repository inside the worktree: only its commit's name would be kept, and its files lost (P-1).
    async fn refuse_nested(&self, staged: &[(Vec<u8>, Vec<u8>)]) -> Result<(), GitError> {
        let submodules = self.load_submodule_paths().await;
        let nested = staged.iter().filter(|(change, _)| is_new_link(change));
        let nested = nested
            .map(|(_, path)| path.as_slice())
            .filter(|path| !submodules.iter().any(|known| known.as_bytes() == *path));
        refuse(NESTED, nested)
    }

    async fn refuse_repositories(&self) -> Result<(), GitError> {
        let submodules = self.load_submodule_paths().await;
        let found = self.nested_repositories().await?;
        let nested = found.iter().filter(|path| !submodules.contains(path));
        refuse(NESTED, nested.map(String::as_bytes))
    }

    // A merge that changed no file still joins two histories.
    async fn is_merging(&self) -> bool {
        let head = self.git_dir().join("MERGE_HEAD");
        tokio::fs::try_exists(head).await.unwrap_or(false)
    }
}

/// Whether a raw change (`:old-mode new-mode …`) adds a link to another repository where none was.
fn is_new_link(change: &[u8]) -> bool {
    change.strip_prefix(b":").is_some_and(|modes| {
        !modes.starts_with(b"160000") && modes.get(7..13) == Some(b"160000".as_slice())
    })
}

fn refuse<'a>(reason: &'static str, paths: impl Iterator<Item = &'a [u8]>) -> Result<(), GitError> {
    let paths: Vec<String> = paths
        .filter(|path| !path.is_empty())
        .map(|path| String::from_utf8_lossy(path).into_owned())
        .collect();
    if paths.is_empty() { Ok(()) } else { Err(GitError::NotCommittable { reason, paths }) }
}
