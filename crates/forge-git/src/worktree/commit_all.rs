use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::fs::regular_file::read_regular;
use crate::merge::commit_identity::CommitSignature;
use crate::refs::object_id::ObjectId;
use crate::worktree::worktree_handle::{LockedWorktree, Worktree};

const NESTED_REPOSITORY_REASON: &str =
    "a repository of its own is in the way; remove its .git, or add it as a submodule";

/// The worktree's state after everything in it was committed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitAllOutcome {
    /// The branch's commit now.
    pub head: ObjectId,
    /// Whether a commit was made.
    pub changed: bool,
}

impl LockedWorktree {
    /// Commits all remaining changes, untracked files included, without running hooks (E-6).
    pub async fn commit_all(
        &self,
        message: &str,
        signature: &CommitSignature,
    ) -> Result<CommitAllOutcome, GitError> {
        self.refuse_special_files().await?;
        self.drop_lock_files().await?;
        self.refuse_unmerged().await?;
        let mut added = self.add_all().await;
        // A git process that was killed just now can leave its lock file after the check above.
        if added.is_err() && !self.lock_files().is_empty() {
            self.drop_lock_files().await?;
            added = self.add_all().await;
        }
        if let Err(error) = added {
            // Git stops at a nested repository without a commit and reports only that it failed.
            self.refuse_untracked_repositories().await?;
            return Err(error);
        }
        let staged = self.load_staged().await?;
        self.refuse_nested_repositories(&staged).await?;
        let changed = !staged.is_empty() || self.is_merging().await;
        if changed {
            GitCommand::write_worktree(self, "commit")
                .args(["--quiet", "--no-verify", "--no-gpg-sign", "--allow-empty"])
                .args(["--cleanup=verbatim", "--allow-empty-message", "--file=-"])
                .signed(signature)
                .input(message)
                .run()
                .await?;
        }
        Ok(CommitAllOutcome { head: self.head().await?, changed })
    }

    async fn add_all(&self) -> Result<(), GitError> {
        if self.has_checked_out_submodules() {
            return self.add_by_name().await;
        }
        // Worktrees inherit the user's sparse checkout; files that an agent creates outside of it are committed as
        // well.
        GitCommand::write_worktree(self, "add")
            .args(["--all", "--sparse", "--", "."])
            .run()
            .await?;
        Ok(())
    }

    /// Whether a submodule is checked out. `git add` would look into it with the submodule's own settings, which an
    /// agent can write (W-19).
    fn has_checked_out_submodules(&self) -> bool {
        let is_there = |link: &Vec<u8>| {
            let path = self.path().join(OsStr::from_bytes(link));
            path.join(".git").symlink_metadata().is_ok()
        };
        self.read_index_file().is_none_or(|index| index.gitlinks.iter().any(is_there))
    }

    /// Adds all changed files by name. Git then takes a submodule's commit from its `HEAD` and reads nothing else.
    async fn add_by_name(&self) -> Result<(), GitError> {
        let listed = GitCommand::read_worktree(self, "ls-files")
            .args(["-z", "--modified", "--deleted", "--others", "--exclude-standard"])
            .run()
            .await?;
        let paths: BTreeSet<&[u8]> = listed
            .split(|byte| *byte == 0)
            .map(|path| path.strip_suffix(b"/").unwrap_or(path))
            .filter(|path| !path.is_empty())
            .collect();
        let paths: Vec<&[u8]> = paths.into_iter().collect();
        GitCommand::write_worktree(self, "update-index")
            .args(["--add", "--remove", "--replace", "-z", "--stdin"])
            .input(paths.join(&0))
            .run()
            .await?;
        Ok(())
    }
}

impl Worktree {
    /// Refuses a merge with unresolved conflicts: a commit would contain the conflict markers.
    async fn refuse_unmerged(&self) -> Result<(), GitError> {
        let unmerged: BTreeSet<Vec<u8>> = match self.read_index_file() {
            Some(index) => index.unmerged.into_iter().collect(),
            None => self.load_unmerged().await?,
        };
        let reason = "a merge was left in conflict; resolve or abort it";
        let conflicted = unmerged.iter().filter(|path| self.has_conflict_markers(path));
        refuse_paths(reason, conflicted.map(Vec::as_slice))
    }

    async fn load_unmerged(&self) -> Result<BTreeSet<Vec<u8>>, GitError> {
        // This reads only the index, so git does not have to look at any file.
        let listed =
            GitCommand::read_worktree(self, "ls-files").args(["--unmerged", "-z"]).run().await?;
        let path = |entry: &[u8]| {
            let tab = entry.iter().position(|byte| *byte == b'\t')?;
            entry.get(tab + 1..).map(<[u8]>::to_vec)
        };
        Ok(listed.split(|byte| *byte == 0).filter_map(path).collect())
    }

    /// Whether a file still contains git's conflict markers. A file that was resolved but not added counts as
    /// resolved.
    fn has_conflict_markers(&self, path: &[u8]) -> bool {
        let file = self.path().join(OsStr::from_bytes(path));
        let content = read_regular(&file).unwrap_or_default();
        content.split(|byte| *byte == b'\n').any(|line| line.starts_with(b"<<<<<<< "))
    }

    /// The changes that the next commit would contain: pairs of a raw change (`:old-mode new-mode …`) and its path.
    async fn load_staged(&self) -> Result<Vec<(Vec<u8>, Vec<u8>)>, GitError> {
        let staged = GitCommand::read_worktree(self, "diff-index")
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

    /// Refuses a nested repository: git would store only the id of its commit, and its files would be lost (P-1).
    async fn refuse_nested_repositories(
        &self,
        staged: &[(Vec<u8>, Vec<u8>)],
    ) -> Result<(), GitError> {
        let submodules = self.load_submodule_paths().await;
        let nested = staged.iter().filter(|(change, _)| is_new_gitlink(change));
        let nested = nested
            .map(|(_, path)| path.as_slice())
            .filter(|path| !submodules.iter().any(|known| known.as_bytes() == *path));
        refuse_paths(NESTED_REPOSITORY_REASON, nested)
    }

    async fn refuse_untracked_repositories(&self) -> Result<(), GitError> {
        let submodules = self.load_submodule_paths().await;
        let found = self.nested_repositories().await?;
        let nested = found.iter().filter(|path| !submodules.contains(path));
        refuse_paths(NESTED_REPOSITORY_REASON, nested.map(String::as_bytes))
    }

    // A merge that changes no file still joins two histories and needs a commit.
    async fn is_merging(&self) -> bool {
        let head = self.git_dir().join("MERGE_HEAD");
        tokio::fs::try_exists(head).await.unwrap_or(false)
    }
}

/// Whether a raw change (`:old-mode new-mode …`) adds a gitlink where none was before.
fn is_new_gitlink(change: &[u8]) -> bool {
    change.strip_prefix(b":").is_some_and(|modes| {
        !modes.starts_with(b"160000") && modes.get(7..13) == Some(b"160000".as_slice())
    })
}

fn refuse_paths<'a>(
    reason: &'static str,
    paths: impl Iterator<Item = &'a [u8]>,
) -> Result<(), GitError> {
    let paths: Vec<String> = paths
        .filter(|path| !path.is_empty())
        .map(|path| String::from_utf8_lossy(path).into_owned())
        .collect();
    if paths.is_empty() { Ok(()) } else { Err(GitError::NotCommittable { reason, paths }) }
}
