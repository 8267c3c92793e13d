use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::refs::object_id::ObjectId;
use crate::worktree::special_file::run_with_special_file_check;
use crate::worktree::worktree_handle::Worktree;

/// A short status of a worktree (W-16).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WorktreeSummary {
    /// The branch it is on; `None` if HEAD is detached.
    pub branch: Option<String>,
    /// The commit it is on; `None` before the first commit.
    pub head: Option<ObjectId>,
    /// Commits that the target does not have.
    pub ahead: u64,
    /// Commits of the target that it does not have.
    pub behind: u64,
    /// Files with changes in the index.
    pub staged: usize,
    /// Tracked files with changes that are not in the index.
    pub modified: usize,
    /// Files that git does not track.
    pub untracked: usize,
    /// Files that a merge left in conflict.
    pub unmerged: usize,
}

/// The result of one `git status`, with the paths that it lists.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct StatusCounts {
    pub(crate) summary: WorktreeSummary,
    pub(crate) paths: Vec<Vec<u8>>,
}

impl Worktree {
    /// Reads branch, commit, distance from the target's commit and counts of uncommitted changes.
    pub async fn summary(&self, target: &ObjectId) -> Result<WorktreeSummary, GitError> {
        let mut summary = self.load_counts(None).await?.summary;
        if let Some(head) = &summary.head {
            (summary.ahead, summary.behind) = self.count_ahead_behind(head, target).await?;
        }
        Ok(summary)
    }

    /// Counts uncommitted changes, limited to `paths` if they are given.
    pub(crate) async fn load_counts(
        &self,
        paths: Option<&[Vec<u8>]>,
    ) -> Result<StatusCounts, GitError> {
        let status = GitCommand::read_worktree(self, "status")
            .args(["--porcelain=v2", "-z", "--branch", "--untracked-files=all"])
            // Git would check a submodule with the submodule's own settings, which an agent can write (W-19).
            .args(["--ignore-submodules=dirty", "--"])
            .args(paths.unwrap_or_default().iter().map(|path| OsStr::from_bytes(path)))
            .run();
        let status = match paths {
            Some(_) => status.await?,
            None => run_with_special_file_check(self.refuse_special_files(), status).await?,
        };
        Ok(StatusCounts::parse(&status))
    }

    /// How many commits `head` has and `target` does not have, and the reverse.
    pub(crate) async fn count_ahead_behind(
        &self,
        head: &ObjectId,
        target: &ObjectId,
    ) -> Result<(u64, u64), GitError> {
        if head == target {
            return Ok((0, 0));
        }
        let counts = GitCommand::read_worktree(self, "rev-list")
            .args(["--left-right", "--count"])
            .arg(format!("{target}...{head}"))
            .output_line()
            .await?;
        let mut numbers = counts.split_ascii_whitespace().map(str::parse);
        match (numbers.next(), numbers.next()) {
            (Some(Ok(behind)), Some(Ok(ahead))) => Ok((ahead, behind)),
            _ => Err(GitError::unexpected("rev-list", counts.as_bytes())),
        }
    }
}

impl StatusCounts {
    fn parse(status: &[u8]) -> Self {
        let mut counts = Self::default();
        let mut fields = status.split(|byte| *byte == 0);
        while let Some(field) = fields.next() {
            // The path is the last of this many words and may contain spaces.
            let words = match field {
                [b'#', ..] => {
                    counts.summary.read_header(&String::from_utf8_lossy(field));
                    continue;
                }
                [b'1' | b'2', b' ', index, files, ..] => {
                    counts.summary.staged += usize::from(*index != b'.');
                    counts.summary.modified += usize::from(*files != b'.');
                    if field.first() == Some(&b'2') {
                        // The old path follows the entry of a renamed file.
                        counts.paths.extend(fields.next().map(<[u8]>::to_vec));
                        10
                    } else {
                        9
                    }
                }
                [b'u', ..] => {
                    counts.summary.unmerged += 1;
                    11
                }
                [b'?', ..] => {
                    counts.summary.untracked += 1;
                    2
                }
                _ => continue,
            };
            let path = field.splitn(words, |byte| *byte == b' ').nth(words - 1);
            counts.paths.extend(path.map(<[u8]>::to_vec));
        }
        counts
    }
}

impl WorktreeSummary {
    fn read_header(&mut self, text: &str) {
        if let Some(id) = text.strip_prefix("# branch.oid ") {
            self.head = ObjectId::new(id).ok();
        } else if let Some(name) = text.strip_prefix("# branch.head ")
            && name != "(detached)"
        {
            self.branch = Some(name.to_owned());
        }
    }
}
