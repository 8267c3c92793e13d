use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::command::Command;
use crate::error::GitError;
use crate::object_id::ObjectId;
use crate::worktree::Worktree;

/// A worktree at a glance (W-16).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// The branch it is on; `None` when detached.
    pub branch: Option<String>,
    /// The commit it is on; `None` before the first.
    pub head: Option<ObjectId>,
    /// Commits that the target does not have.
    pub ahead: u64,
    /// Commits of the target that it does not have.
    pub behind: u64,
    /// Files with changes in the index.
    pub staged: usize,
    /// Tracked files changed and not in the index.
    pub modified: usize,
    /// Files git does not know.
    pub untracked: usize,
    /// Files that a merge left in conflict.
    pub unmerged: usize,
}

/// What one `git status` says, and of which files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Counts {
    pub(crate) summary: Summary,
    pub(crate) paths: Vec<Vec<u8>>,
}

impl Worktree {
    /// Reads branch, commit, distance from the target's commit and counts of what is not committed.
    pub async fn summary(&self, target: &ObjectId) -> Result<Summary, GitError> {
        let mut summary = self.load_counts(None).await?.summary;
        if let Some(head) = &summary.head {
            (summary.ahead, summary.behind) = self.load_distance(head, target).await?;
        }
        Ok(summary)
    }

    /// What is not committed; among these paths only, where they are given.
    pub(crate) async fn load_counts(&self, paths: Option<&[Vec<u8>]>) -> Result<Counts, GitError> {
        let status = Command::read_worktree(self, "status")
            .args(["--porcelain=v2", "-z", "--branch", "--untracked-files=all"])
            .args(["--ignore-submodules=none", "--"])
            .args(paths.unwrap_or_default().iter().map(|path| OsStr::from_bytes(path)))
            .run()
            .await?;
        Ok(Counts::parse(&status))
    }

    /// How many commits the one has and the other has not, and the other way round.
    pub(crate) async fn load_distance(
        &self,
        head: &ObjectId,
        target: &ObjectId,
    ) -> Result<(u64, u64), GitError> {
        if head == target {
            return Ok((0, 0));
        }
        let counts = Command::read_worktree(self, "rev-list")
            .args(["--left-right", "--count"])
            .arg(format!("{target}...{head}"))
            .line()
            .await?;
        let mut numbers = counts.split_ascii_whitespace().map(str::parse);
        match (numbers.next(), numbers.next()) {
            (Some(Ok(behind)), Some(Ok(ahead))) => Ok((ahead, behind)),
            _ => Err(GitError::unexpected("rev-list", counts.as_bytes())),
        }
    }
}

impl Counts {
    fn parse(status: &[u8]) -> Self {
        let mut counts = Self::default();
        let mut fields = status.split(|byte| *byte == 0);
        while let Some(field) = fields.next() {
            // The path is the last of so many words, and may have spaces itself.
            let words = match field {
                [b'#', ..] => {
                    counts.summary.read_header(&String::from_utf8_lossy(field));
                    continue;
                }
                [b'1' | b'2', b' ', index, files, ..] => {
                    counts.summary.staged += usize::from(*index != b'.');
                    counts.summary.modified += usize::from(*files != b'.');
                    if field.first() == Some(&b'2') {
                        // A moved file is followed by its old path.
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

impl Summary {
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
