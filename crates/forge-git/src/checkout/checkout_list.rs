use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::refs::ref_lookup;
use crate::refs::ref_name::{BranchName, RefName};
use crate::repo::repository::Repo;
use crate::worktree::worktree_records::{WorktreeRecordEntry, WorktreeRecords};

/// A directory with checked-out files of the repository: a user's checkout, or one of Forge's worktrees.
#[derive(Debug, Clone)]
pub struct Checkout {
    repo: Repo,
    path: PathBuf,
    git_dir: PathBuf,
    branch: Option<BranchName>,
}

impl Checkout {
    /// The checkout's directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The branch it is on; `None` if HEAD is detached.
    pub fn branch(&self) -> Option<&BranchName> {
        self.branch.as_ref()
    }

    pub(crate) fn repo(&self) -> &Repo {
        &self.repo
    }

    pub(crate) fn git_dir(&self) -> &Path {
        &self.git_dir
    }
}

impl Repo {
    /// Every checkout of this branch (M-7), the user's main checkout included.
    pub async fn checkouts_of(&self, branch: &BranchName) -> Result<Vec<Checkout>, GitError> {
        let mut checkouts = self.checkouts().await?;
        checkouts.retain(|checkout| checkout.branch() == Some(branch) && checkout.path().is_dir());
        Ok(checkouts)
    }

    /// Every checkout that git knows of, even if its directory is gone. Read from git's records; incomplete records
    /// are skipped. Where references are not stored in files, git is asked.
    pub(crate) async fn checkouts(&self) -> Result<Vec<Checkout>, GitError> {
        self.checkouts_with_records(&WorktreeRecords::load(self).await?.complete).await
    }

    /// The main checkout, and the linked checkouts of these records.
    pub(crate) async fn checkouts_with_records(
        &self,
        linked: &[WorktreeRecordEntry],
    ) -> Result<Vec<Checkout>, GitError> {
        let main = self.main_checkout_path();
        match (main, std::fs::read(self.common_dir().join("HEAD"))) {
            (Ok(main), Ok(head)) if !ref_lookup::is_reftable_placeholder(&head) => {
                let main = main.map(|path| self.checkout_at(path, self.common_dir(), &head));
                let linked = linked.iter().map(|found| {
                    self.checkout_at(found.path.clone(), found.git_dir(), &found.head)
                });
                Ok(main.into_iter().chain(linked).collect())
            }
            _ => self.checkouts_by_git(linked).await,
        }
    }

    fn checkout_at(&self, path: PathBuf, git_dir: &Path, head: &[u8]) -> Checkout {
        let branch = branch_in_head(head);
        Checkout { repo: self.clone(), path, git_dir: git_dir.to_owned(), branch }
    }

    /// The path of the main checkout, if there is one. Unknown if the repository was opened through a linked
    /// worktree.
    fn main_checkout_path(&self) -> Result<Option<PathBuf>, UnknownMainCheckout> {
        match self.work_tree() {
            Some(known) => Ok(Some(known.to_owned())),
            None if self.common_dir().file_name() == Some(OsStr::new(".git")) => {
                Err(UnknownMainCheckout)
            }
            None => Ok(None),
        }
    }

    async fn checkouts_by_git(
        &self,
        linked: &[WorktreeRecordEntry],
    ) -> Result<Vec<Checkout>, GitError> {
        let list =
            GitCommand::read(self, "worktree").args(["list", "--porcelain", "-z"]).run().await?;
        let mut checkouts = Vec::new();
        for (position, entry) in parse_worktree_list(&list).enumerate() {
            if entry.bare {
                continue;
            }
            let place = if position == 0 {
                self.guess_main_checkout()
            } else {
                linked
                    .iter()
                    .find(|found| found.path == entry.path)
                    .map(|found| (entry.path.to_owned(), found.git_dir().to_owned()))
            };
            if let Some((path, git_dir)) = place {
                checkouts.push(Checkout {
                    repo: self.clone(),
                    path,
                    git_dir,
                    branch: entry.branch,
                });
            }
        }
        Ok(checkouts)
    }

    // Git derives the main checkout from the name of its git directory. That is wrong for a separate git directory,
    // and for Forge's copy of the settings.
    fn guess_main_checkout(&self) -> Option<(PathBuf, PathBuf)> {
        let common = self.common_dir().to_owned();
        if let Some(known) = self.work_tree() {
            return Some((known.to_owned(), common));
        }
        let guess = common.parent()?.to_owned();
        let found = std::fs::canonicalize(guess.join(".git")).ok()?;
        (found == common).then_some((guess, common))
    }
}

struct UnknownMainCheckout;

/// The branch that a `HEAD` file names.
pub(crate) fn branch_in_head(head: &[u8]) -> Option<BranchName> {
    let name = head.trim_ascii_end().strip_prefix(b"ref: ")?;
    RefName::new(String::from_utf8_lossy(name)).ok()?.branch()
}

struct WorktreeListEntry<'a> {
    path: &'a Path,
    branch: Option<BranchName>,
    bare: bool,
}

/// Parses `worktree list --porcelain -z`: each field ends with NUL, each entry with an empty field.
fn parse_worktree_list(list: &[u8]) -> impl Iterator<Item = WorktreeListEntry<'_>> {
    let fields: Vec<&[u8]> = list.split(|byte| *byte == 0).collect();
    let mut found = Vec::new();
    for group in fields.split(|field| field.is_empty()) {
        let value = |key: &[u8]| group.iter().find_map(|field| field.strip_prefix(key));
        let Some(path) = value(b"worktree ") else {
            continue;
        };
        found.push(WorktreeListEntry {
            path: Path::new(OsStr::from_bytes(path)),
            branch: value(b"branch ")
                .and_then(|name| RefName::new(String::from_utf8_lossy(name)).ok())
                .and_then(|name| name.branch()),
            bare: group.contains(&b"bare".as_slice()),
        });
    }
    found.into_iter()
}
