use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::command::Command;
use crate::diff::DiffLimits;
use crate::diff_listing::{Listing, Span};
use crate::error::GitError;
use crate::object_id::ObjectId;
use crate::worktree::Worktree;

/// What a command line may hold of paths, well below the system's limit.
const MOST_PATH_BYTES: usize = 512 * 1024;

impl Worktree {
    /// Files git does not know and does not ignore, by path. A repository inside is not among them: git cannot compare
    /// its content.
    pub(crate) async fn load_untracked(
        &self,
        paths: Option<&[Vec<u8>]>,
    ) -> Result<Vec<Vec<u8>>, GitError> {
        let output = Command::read_worktree(self, "ls-files")
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

    /// Compares untracked files through an index of their own, in which they are announced and nothing else is. What is
    /// gone is compared along with them: one may be where the other went.
    pub(crate) async fn announce(
        &self,
        base: &ObjectId,
        tracked: &Listing,
        mut untracked: Vec<Vec<u8>>,
        limits: DiffLimits,
    ) -> Result<Listing, GitError> {
        let all = untracked.len();
        untracked.truncate(limits.files);
        let mut bytes = 0;
        untracked.retain(|path| {
            bytes += path.len() + 1;
            bytes <= MOST_PATH_BYTES
        });
        let cut = untracked.len() < all;
        let mut gone: Vec<&[u8]> = tracked.gone().collect();
        let gone_bytes: usize = gone.iter().map(|path| path.len() + 1).sum();
        if gone.len() > limits.files || gone_bytes > MOST_PATH_BYTES {
            // Too many to look for where each went; git itself gives up about here.
            gone.clear();
        }
        let index = Announced::in_directory(self.git_dir());
        Command::read_worktree(self, "add")
            .index(&index.file)
            .args(["--intent-to-add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul"])
            .arg("--ignore-errors")
            .input(untracked.join(&0))
            .outcome()
            .await?;
        let mut seen: HashSet<Vec<u8>> = HashSet::new();
        let gone = gone.into_iter().map(<[u8]>::to_vec);
        let paths: Vec<Vec<u8>> =
            untracked.into_iter().chain(gone).filter(|path| seen.insert(path.clone())).collect();
        let span = Span::Files(base.clone());
        let mut found =
            self.listing_by(&span, Some(&index.file), limits.total_bytes, Some(&paths)).await?;
        if cut {
            found.set_truncated();
        }
        Ok(found)
    }
}

/// An index beside the agent's, which does not notice. Gone when dropped; one that a killed process left goes with the
/// worktree.
struct Announced {
    file: PathBuf,
}

impl Announced {
    fn in_directory(git_dir: &Path) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("forge-untracked-{}-{number}", std::process::id());
        Self { file: git_dir.join(name) }
    }
}

impl Drop for Announced {
    fn drop(&mut self) {
        std::fs::remove_file(&self.file).ok();
        std::fs::remove_file(self.file.with_extension("lock")).ok();
    }
}
