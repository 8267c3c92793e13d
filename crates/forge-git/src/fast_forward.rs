use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use crate::checkout::Checkout;
use crate::command::Command;
use crate::error::GitError;
use crate::index_lock;
use crate::object_id::ObjectId;
use crate::private_index::PrivateIndex;

const PATHS_PER_CALL: usize = 500;
const NAMES: [&str; 4] = ["-z", "--name-only", "--no-renames", "--ignore-submodules=none"];

/// Why a checkout was not brought forward. Not one byte of it changed.
#[derive(Debug, thiserror::Error)]
pub enum FastForwardError {
    /// Files that would change carry local work.
    #[error("{} has local work in {}; commit, stash or remove it, then landing goes on", path.display(), files.join(", "))]
    Dirty {
        /// The checkout.
        path: PathBuf,
        /// The files in the way, as UTF-8 as far as they are.
        files: Vec<String>,
    },
    /// A git command runs there right now, or died there.
    #[error("another git command holds {}; wait for it, or remove the file if none runs", lock.display())]
    Busy {
        /// The checkout.
        path: PathBuf,
        /// The lock file.
        lock: PathBuf,
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
        self.look_ahead(old, new).await.map(drop)
    }

    /// The same without a look at who else is at work there; the copy of the index that it was asked on.
    pub(crate) async fn look_ahead(
        &self,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<PrivateIndex, FastForwardError> {
        let index = PrivateIndex::copy_of(self.git_dir()).await?;
        // Files whose time stamps changed but not their content are no local work.
        let refresh = Command::read_checkout(self, "update-index")
            .index(index.path())
            .args(["-q", "--refresh"])
            .outcome()
            .await?;
        if !matches!(refresh.code(), Some(0 | 1)) {
            return Err(refresh.into_error().into());
        }
        let mut in_the_way = self.files_in_the_way(&index, old, new).await?;
        in_the_way.extend(self.deleted_locally(&index, old, new).await?);
        let trial = Command::read_checkout(self, "read-tree")
            .index(index.path())
            .args(["-m", "-u", "-n", old.as_str(), new.as_str()])
            .outcome()
            .await?;
        match (trial.code(), in_the_way.is_empty()) {
            (Some(0), true) => Ok(index),
            (Some(0 | 128), _) => {
                let mut files = in_the_way;
                files.extend(self.local_changes(&index, old, new).await?);
                if files.is_empty() {
                    // Files the person hid from git's comparisons (assume-unchanged) are named only by the refusal.
                    files.extend(quoted(&trial.stderr()));
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
    pub(crate) async fn index_of_files_at(
        &self,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<Option<PrivateIndex>, GitError> {
        let index = PrivateIndex::copy_of(self.git_dir()).await?;
        let moved = Command::read_checkout(self, "read-tree")
            .index(index.path())
            .args(["-m", "-i", old.as_str(), new.as_str()])
            .outcome()
            .await?;
        if moved.code() != Some(0) {
            return Ok(None);
        }
        Command::read_checkout(self, "update-index")
            .index(index.path())
            .args(["-q", "--refresh"])
            .outcome()
            .await?;
        let differing = Command::read_checkout(self, "diff-files")
            .index(index.path())
            .args(NAMES)
            .run()
            .await?;
        let landing = self.landing(old, new).await?;
        let differs = names(&differing).iter().any(|name| landing.contains(name));
        Ok((!differs).then_some(index))
    }

    /// Nobody is in the middle of a git command here, as far as can be seen.
    async fn check_idle(&self) -> Result<(), FastForwardError> {
        let lock = self.index_lock();
        match tokio::fs::symlink_metadata(&lock).await {
            Ok(_) if !index_lock::is_left_by_us(&lock) => {
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
    async fn files_in_the_way(
        &self,
        index: &PrivateIndex,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<BTreeSet<OsString>, GitError> {
        let added = Command::read_checkout(self, "diff-tree")
            .args(["-r", "--diff-filter=A"])
            .args(NAMES)
            .args([old.as_str(), new.as_str()])
            .run()
            .await?;
        let standing: BTreeSet<PathBuf> =
            names(&added).iter().filter_map(|name| self.standing(name)).collect();
        let standing: Vec<PathBuf> = standing.into_iter().collect();
        let mut found = BTreeSet::new();
        for part in standing.chunks(PATHS_PER_CALL) {
            let others = Command::read_checkout(self, "ls-files")
                .index(index.path())
                .args(["--others", "-z", "--"])
                .args(part)
                .run()
                .await?;
            found.extend(names(&others));
        }
        Ok(found)
    }

    /// The path itself, or the file that stands where one of its directories would be.
    fn standing(&self, name: &OsStr) -> Option<PathBuf> {
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
        let deleted = Command::read_checkout(self, "diff-files")
            .index(index.path())
            .args(NAMES)
            .arg("--diff-filter=D")
            .run()
            .await?;
        if deleted.is_empty() {
            return Ok(BTreeSet::new());
        }
        let landing = self.landing(old, new).await?;
        // What is at its new state in the index already went forward before; git leaves it alone.
        let staged = self.changed_since(index, old, true).await?;
        let mut deleted: BTreeSet<OsString> = names(&deleted).into_iter().collect();
        deleted.retain(|name| landing.contains(name) && !staged.contains(name));
        Ok(deleted)
    }

    /// Files that both the landing and the person changed.
    async fn local_changes(
        &self,
        index: &PrivateIndex,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<BTreeSet<OsString>, GitError> {
        let landing = self.landing(old, new).await?;
        let mut local = self.changed_since(index, old, false).await?;
        local.extend(self.changed_since(index, old, true).await?);
        local.retain(|name| landing.contains(name));
        Ok(local)
    }

    async fn landing(
        &self,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<BTreeSet<OsString>, GitError> {
        let changed = Command::read_checkout(self, "diff-tree")
            .arg("-r")
            .args(NAMES)
            .args([old.as_str(), new.as_str()])
            .run()
            .await?;
        Ok(names(&changed).into_iter().collect())
    }

    /// Files that differ from a commit, in the index alone or in the work tree.
    async fn changed_since(
        &self,
        index: &PrivateIndex,
        commit: &ObjectId,
        cached: bool,
    ) -> Result<BTreeSet<OsString>, GitError> {
        let changed = Command::read_checkout(self, "diff-index")
            .index(index.path())
            .args(cached.then_some("--cached"))
            .args(NAMES)
            .args([commit.as_str(), "--"])
            .run()
            .await?;
        Ok(names(&changed).into_iter().collect())
    }
}

/// The file that each line of a complaint names in quotes.
fn quoted(complaint: &str) -> impl Iterator<Item = OsString> {
    complaint.lines().filter_map(|line| {
        let (_, rest) = line.split_once('\'')?;
        let (name, _) = rest.rsplit_once('\'')?;
        Some(OsString::from(name))
    })
}

fn names(list: &[u8]) -> Vec<OsString> {
    list.split(|byte| *byte == 0)
        .filter(|name| !name.is_empty())
        .map(|name| OsString::from_vec(name.to_vec()))
        .collect()
}
