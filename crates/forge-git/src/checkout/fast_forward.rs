use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use crate::checkout::checkout_list::Checkout;
use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::index::index_lock;
use crate::index::private_index::PrivateIndex;
use crate::refs::object_id::ObjectId;
use crate::refs::ref_name::BranchName;

const PATHS_PER_CALL: usize = 500;
/// Git would look for changes inside a submodule by its settings, which are an agent's to write (W-19).
const NAME_ONLY_FLAGS: [&str; 4] =
    ["-z", "--name-only", "--no-renames", "--ignore-submodules=dirty"];

/// Why a checkout was not brought forward. Not one byte of it changed.
#[derive(Debug, thiserror::Error)]
pub enum FastForwardError {
    /// Files that would change carry local work.
    #[error("{} has local work in {}; commit, stash or remove it, then landing goes on", path.display(), files.join(", "))]
    Dirty {
        path: PathBuf,
        /// The files in the way, as UTF-8 as far as they are.
        files: Vec<String>,
    },
    /// A git command runs there right now, or died there.
    #[error("another git command holds {}; wait for it, or remove the file if none runs", lock.display())]
    Busy {
        path: PathBuf,
        /// The lock file.
        lock: PathBuf,
    },
    /// Something other than Forge moved the branch, and the checkout has not followed: the next commit there would take back
    /// what the move brought.
    #[error(
        "{branch} was moved under {}, whose index does not have {}; a commit there would take that back. \
         Run `git status` there, then `git restore --staged --worktree` or commit, and landing goes on",
        path.display(), files.join(", ")
    )]
    Stale {
        path: PathBuf,
        branch: BranchName,
        /// The files that its index does not have as the branch has them.
        files: Vec<String>,
    },
    /// The lock that is held is another repository's.
    #[error("{} is no checkout of the locked repository", .0.display())]
    OtherRepository(PathBuf),
    /// Git failed otherwise.
    #[error(transparent)]
    Git(#[from] GitError),
}

impl Checkout {
    /// Whether going from `old` to `new` would leave every local change and every untracked or ignored file as it is.
    /// Asked on a copy of the index: the checkout is only read.
    pub async fn can_fast_forward(
        &self,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<(), FastForwardError> {
        self.check_idle().await?;
        self.check_on_index_copy(old, new).await.map(drop)
    }

    /// The same without a look at who else is at work there; the copy of the index that it was asked on.
    pub(crate) async fn check_on_index_copy(
        &self,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<PrivateIndex, FastForwardError> {
        let index = PrivateIndex::copy_of(self.git_dir()).await?;
        // Files whose time stamps changed but not their content are no local work.
        let refresh = GitCommand::read_checkout(self, "update-index")
            .with_index(index.path())
            .args(["-q", "--refresh"])
            .output()
            .await?;
        if !matches!(refresh.code(), Some(0 | 1)) {
            return Err(refresh.into_error().into());
        }
        let mut in_the_way = self.untracked_files_in_the_way(&index, old, new).await?;
        in_the_way.extend(self.deleted_locally(&index, old, new).await?);
        let trial = GitCommand::read_checkout(self, "read-tree")
            .with_index(index.path())
            .args(["-m", "-u", "-n", old.as_str(), new.as_str()])
            .output()
            .await?;
        match (trial.code(), in_the_way.is_empty()) {
            (Some(0), true) => Ok(index),
            (Some(0 | 128), _) => {
                let mut files = in_the_way;
                files.extend(self.conflicting_local_changes(&index, old, new).await?);
                if files.is_empty() {
                    // Files the person hid from git's comparisons (assume-unchanged) are named only by the refusal.
                    files.extend(quoted_paths(&trial.stderr()));
                }
                if files.is_empty() {
                    return Err(trial.into_error().into());
                }
                Err(FastForwardError::Dirty {
                    path: self.path().to_owned(),
                    files: files.iter().map(|file| file.to_string_lossy().into_owned()).collect(),
                })
            }
            _ => Err(trial.into_error().into()),
        }
    }

    /// An index at `new`, if all files that lie between `old` and `new` are at `new` already.
    pub(crate) async fn index_if_files_are_at(
        &self,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<Option<PrivateIndex>, GitError> {
        let index = PrivateIndex::copy_of(self.git_dir()).await?;
        let moved = GitCommand::read_checkout(self, "read-tree")
            .with_index(index.path())
            .args(["-m", "-i", old.as_str(), new.as_str()])
            .output()
            .await?;
        if moved.code() != Some(0) {
            return Ok(None);
        }
        GitCommand::read_checkout(self, "update-index")
            .with_index(index.path())
            .args(["-q", "--refresh"])
            .output()
            .await?;
        let differing = self.files_differing_from(&index).await?;
        let landing = self.files_changed_between(old, new).await?;
        Ok(differing.is_disjoint(&landing).then_some(index))
    }

    /// The files that differ from an index.
    pub(crate) async fn files_differing_from(
        &self,
        index: &PrivateIndex,
    ) -> Result<BTreeSet<OsString>, GitError> {
        let differing = GitCommand::read_checkout(self, "diff-files")
            .with_index(index.path())
            .args(NAME_ONLY_FLAGS)
            .run()
            .await?;
        Ok(split_names(&differing).into_iter().collect())
    }

    /// Refuses while another git holds the lock of the index.
    async fn check_idle(&self) -> Result<(), FastForwardError> {
        let lock = self.index_lock();
        match tokio::fs::symlink_metadata(&lock).await {
            Ok(_) if !index_lock::is_stale_forge_lock(&lock) => {
                Err(FastForwardError::Busy { path: self.path().to_owned(), lock })
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn index_lock(&self) -> PathBuf {
        self.git_dir().join("index.lock")
    }

    /// Files that are new in `new` but stand there already without git knowing them. Git itself would overwrite those
    /// that are ignored; a person's `.env` is worth more than that.
    async fn untracked_files_in_the_way(
        &self,
        index: &PrivateIndex,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<BTreeSet<OsString>, GitError> {
        let added = GitCommand::read_checkout(self, "diff-tree")
            .args(["-r", "--diff-filter=A"])
            .args(NAME_ONLY_FLAGS)
            .args([old.as_str(), new.as_str()])
            .run()
            .await?;
        let standing: BTreeSet<PathBuf> = split_names(&added)
            .iter()
            .filter_map(|name| self.existing_path_in_the_way(name))
            .collect();
        let standing: Vec<PathBuf> = standing.into_iter().collect();
        let mut found = BTreeSet::new();
        for part in standing.chunks(PATHS_PER_CALL) {
            let others = GitCommand::read_checkout(self, "ls-files")
                .with_index(index.path())
                .args(["--others", "-z", "--"])
                .args(part)
                .run()
                .await?;
            found.extend(split_names(&others));
        }
        Ok(found)
    }

    /// The path itself, or the file that stands where one of its directories would be.
    fn existing_path_in_the_way(&self, name: &OsStr) -> Option<PathBuf> {
        let name = Path::new(name);
        let mut ancestors: Vec<&Path> =
            name.ancestors().filter(|path| !path.as_os_str().is_empty()).collect();
        ancestors.reverse();
        for ancestor in ancestors {
            let found = std::fs::symlink_metadata(self.path().join(ancestor)).ok()?;
            if !found.is_dir() || ancestor == name {
                return Some(ancestor.to_owned());
            }
        }
        None
    }

    /// Files that the landing changes and the person deleted without telling git, which would bring them back.
    async fn deleted_locally(
        &self,
        index: &PrivateIndex,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<BTreeSet<OsString>, GitError> {
        let deleted = GitCommand::read_checkout(self, "diff-files")
            .with_index(index.path())
            .args(NAME_ONLY_FLAGS)
            .arg("--diff-filter=D")
            .run()
            .await?;
        if deleted.is_empty() {
            return Ok(BTreeSet::new());
        }
        let landing = self.files_changed_between(old, new).await?;
        // What is at its new state in the index already went forward before; git leaves it alone.
        let staged = self.changed_since(index, old, true).await?;
        let mut deleted: BTreeSet<OsString> = split_names(&deleted).into_iter().collect();
        deleted.retain(|name| landing.contains(name) && !staged.contains(name));
        Ok(deleted)
    }

    /// Files that both the landing and the person changed.
    async fn conflicting_local_changes(
        &self,
        index: &PrivateIndex,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<BTreeSet<OsString>, GitError> {
        let landing = self.files_changed_between(old, new).await?;
        let mut local = self.changed_since(index, old, false).await?;
        local.extend(self.changed_since(index, old, true).await?);
        local.retain(|name| landing.contains(name));
        Ok(local)
    }

    async fn files_changed_between(
        &self,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<BTreeSet<OsString>, GitError> {
        let changed = GitCommand::read_checkout(self, "diff-tree")
            .arg("-r")
            .args(NAME_ONLY_FLAGS)
            .args([old.as_str(), new.as_str()])
            .run()
            .await?;
        Ok(split_names(&changed).into_iter().collect())
    }

    /// Files that differ from a commit, in the index alone or in the work tree.
    pub(crate) async fn changed_since(
        &self,
        index: &PrivateIndex,
        commit: &ObjectId,
        cached: bool,
    ) -> Result<BTreeSet<OsString>, GitError> {
        let changed = GitCommand::read_checkout(self, "diff-index")
            .with_index(index.path())
            .args(cached.then_some("--cached"))
            .args(NAME_ONLY_FLAGS)
            .args([commit.as_str(), "--"])
            .run()
            .await?;
        Ok(split_names(&changed).into_iter().collect())
    }
}

/// The file that each line of a complaint names in quotes.
fn quoted_paths(complaint: &str) -> impl Iterator<Item = OsString> {
    complaint.lines().filter_map(|line| {
        let (_, rest) = line.split_once('\'')?;
        let (name, _) = rest.rsplit_once('\'')?;
        Some(OsString::from(name))
    })
}

fn split_names(list: &[u8]) -> Vec<OsString> {
    list.split(|byte| *byte == 0)
        .filter(|name| !name.is_empty())
        .map(|name| OsString::from_vec(name.to_vec()))
        .collect()
}
