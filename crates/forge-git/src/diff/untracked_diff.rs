use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::diff::diff_listing::{DiffListing, DiffSpan};
use crate::diff::worktree_diff::DiffLimits;
use crate::refs::object_id::ObjectId;
use crate::worktree::worktree_handle::Worktree;

/// The limit for paths on a command line, well below the system's limit.
const MAX_PATH_BYTES: usize = 512 * 1024;

impl Worktree {
    /// The paths of files that git neither tracks nor ignores. Nested repositories are excluded, because git cannot
    /// compare their content.
    pub(crate) async fn load_untracked(
        &self,
        paths: Option<&[Vec<u8>]>,
    ) -> Result<Vec<Vec<u8>>, GitError> {
        let output = GitCommand::read_worktree(self, "ls-files")
            .args(["--others", "--exclude-standard", "-z", "--"])
            .args(paths.unwrap_or_default().iter().map(|path| OsStr::from_bytes(path)))
            .run()
            .await?;
        let names = output.split(|byte| *byte == 0);
        Ok(names
            .filter(|name| !name.is_empty() && !name.ends_with(b"/"))
            .map(<[u8]>::to_vec)
            .collect())
    }

    /// Compares untracked files through a separate index that contains only them (`git add --intent-to-add`). Deleted
    /// tracked files are compared with them, so that git can detect renames.
    pub(crate) async fn diff_untracked(
        &self,
        base: &ObjectId,
        mut gone: Vec<&[u8]>,
        untracked: &[Vec<u8>],
        limits: DiffLimits,
    ) -> Result<DiffListing, GitError> {
        if untracked.is_empty() {
            return Ok(DiffListing::default());
        }
        let mut bytes = 0;
        let fitting = untracked.iter().take(limits.files).filter(|path| {
            bytes += path.len() + 1;
            bytes <= MAX_PATH_BYTES
        });
        let announced: Vec<&[u8]> = fitting.map(Vec::as_slice).collect();
        let cut = announced.len() < untracked.len();
        let gone_bytes: usize = gone.iter().map(|path| path.len() + 1).sum();
        if gone.len() > limits.files || gone_bytes > MAX_PATH_BYTES {
            // Too many for rename detection; git itself gives up at a similar number.
            gone.clear();
        }
        let index = UntrackedIndex::new_in(self.git_dir());
        GitCommand::read_worktree(self, "add")
            .with_index(&index.file)
            .args(["--intent-to-add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul"])
            .arg("--ignore-errors")
            .input(announced.join(&0))
            .output()
            .await?;
        let mut seen: HashSet<&[u8]> = HashSet::new();
        let paths = announced.into_iter().chain(gone).filter(|path| seen.insert(path));
        let paths: Vec<Vec<u8>> = paths.map(<[u8]>::to_vec).collect();
        let span = DiffSpan::Files(base.clone());
        let mut found = self
            .list_changes_with_index(&span, Some(&index.file), limits.total_bytes, Some(&paths))
            .await?;
        if cut {
            found.set_truncated();
        }
        Ok(found)
    }
}

/// A temporary index beside the agent's. Deleted when dropped; if a process is killed, its file is removed together
/// with the worktree.
struct UntrackedIndex {
    file: PathBuf,
}

impl UntrackedIndex {
    fn new_in(git_dir: &Path) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("forge-untracked-{}-{number}", std::process::id());
        Self { file: git_dir.join(name) }
    }
}

impl Drop for UntrackedIndex {
    fn drop(&mut self) {
        std::fs::remove_file(&self.file).ok();
        std::fs::remove_file(self.file.with_extension("lock")).ok();
    }
}
