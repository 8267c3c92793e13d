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

impl Worktree {
    /// Reads branch, commit, distance from the target's commit and counts of what is not committed.
    pub async fn summary(&self, target: &ObjectId) -> Result<Summary, GitError> {
        let status = Command::read_worktree(self, "status")
            .args(["--porcelain=v2", "-z", "--branch", "--untracked-files=all"])
            .arg("--ignore-submodules=none")
            .run()
            .await?;
        let mut summary = Summary::parse(&status);
        if let Some(head) = &summary.head {
            let counts = Command::read_worktree(self, "rev-list")
                .args(["--left-right", "--count"])
                .arg(format!("{target}...{head}"))
                .line()
                .await?;
            let mut numbers = counts.split_ascii_whitespace().map(str::parse);
            match (numbers.next(), numbers.next()) {
                (Some(Ok(behind)), Some(Ok(ahead))) => {
                    (summary.behind, summary.ahead) = (behind, ahead)
                }
                _ => return Err(GitError::unexpected("rev-list", counts.as_bytes())),
            }
        }
        Ok(summary)
    }
}

impl Summary {
    fn parse(status: &[u8]) -> Self {
        let mut summary = Self::default();
        let mut fields = status.split(|byte| *byte == 0);
        while let Some(field) = fields.next() {
            let text = String::from_utf8_lossy(field);
            match field {
                [b'#', ..] => summary.read_header(&text),
                [b'1' | b'2', b' ', index, files, ..] => {
                    summary.staged += usize::from(*index != b'.');
                    summary.modified += usize::from(*files != b'.');
                    if field.first() == Some(&b'2') {
                        // A moved file is followed by its old path.
                        fields.next();
                    }
                }
                [b'u', ..] => summary.unmerged += 1,
                [b'?', ..] => summary.untracked += 1,
                _ => {}
            }
        }
        summary
    }

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
