use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::command::Command;
use crate::error::GitError;
use crate::ref_file;
use crate::ref_name::{BranchName, RefName};
use crate::repo::Repo;
use crate::survey::{Listed, Survey};

/// A place where files of the repository are checked out: a person's, or a worktree of ours.
#[derive(Debug, Clone)]
pub struct Checkout {
    repo: Repo,
    path: PathBuf,
    git_dir: PathBuf,
    branch: Option<BranchName>,
}

impl Checkout {
    /// Its directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The branch it is on, if it is on one.
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
    /// Every checkout that has this branch (M-7), a person's main one included.
    pub async fn checkouts_of(&self, branch: &BranchName) -> Result<Vec<Checkout>, GitError> {
        let mut checkouts = self.checkouts().await?;
        checkouts.retain(|checkout| checkout.branch() == Some(branch) && checkout.path().is_dir());
        Ok(checkouts)
    }

    /// Every checkout git knows of, also one whose directory is gone. Read from git's own records, without those that
    /// are only half written; git itself is asked where it keeps references elsewhere than in files.
    pub(crate) async fn checkouts(&self) -> Result<Vec<Checkout>, GitError> {
        self.checkouts_among(&Survey::of(self).await?.written).await
    }

    /// The main checkout, and the linked ones that these records name.
    pub(crate) async fn checkouts_among(
        &self,
        linked: &[Listed],
    ) -> Result<Vec<Checkout>, GitError> {
        let main = self.main_place();
        match (main, std::fs::read(self.common_dir().join("HEAD"))) {
            (Ok(main), Ok(head)) if !ref_file::is_placeholder(&head) => {
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
        let branch = branch_in(head);
        Checkout { repo: self.clone(), path, git_dir: git_dir.to_owned(), branch }
    }

    /// Where the main checkout is, if there is one; unknown when we came here by a linked one.
    fn main_place(&self) -> Result<Option<PathBuf>, Unknown> {
        match self.work_tree() {
            Some(known) => Ok(Some(known.to_owned())),
            None if self.common_dir().file_name() == Some(OsStr::new(".git")) => Err(Unknown),
            None => Ok(None),
        }
    }

    async fn checkouts_by_git(&self, linked: &[Listed]) -> Result<Vec<Checkout>, GitError> {
        let list =
            Command::read(self, "worktree").args(["list", "--porcelain", "-z"]).run().await?;
        let mut checkouts = Vec::new();
        for (position, entry) in entries(&list).enumerate() {
            if entry.bare {
                continue;
            }
            let place = if position == 0 {
                self.main_checkout(entry.path)
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

    // Git guesses the main checkout from the name of its git directory, which is wrong for a separate one.
    fn main_checkout(&self, guess: &Path) -> Option<(PathBuf, PathBuf)> {
        let common = self.common_dir().to_owned();
        if let Some(known) = self.work_tree() {
            return Some((known.to_owned(), common));
        }
        let found = std::fs::canonicalize(guess.join(".git")).ok()?;
        (found == common).then(|| (guess.to_owned(), common))
    }
}

struct Unknown;

/// The branch that the content of a `HEAD` names.
pub(crate) fn branch_in(head: &[u8]) -> Option<BranchName> {
    let name = head.trim_ascii_end().strip_prefix(b"ref: ")?;
    RefName::new(String::from_utf8_lossy(name)).ok()?.branch()
}

struct Entry<'a> {
    path: &'a Path,
    branch: Option<BranchName>,
    bare: bool,
}

/// The entries of `worktree list --porcelain -z`: fields end with NUL, entries with an empty field.
fn entries(list: &[u8]) -> impl Iterator<Item = Entry<'_>> {
    let fields: Vec<&[u8]> = list.split(|byte| *byte == 0).collect();
    let mut found = Vec::new();
    for group in fields.split(|field| field.is_empty()) {
        let value = |key: &[u8]| group.iter().find_map(|field| field.strip_prefix(key));
        let Some(path) = value(b"worktree ") else {
            continue;
        };
        found.push(Entry {
            path: Path::new(OsStr::from_bytes(path)),
            branch: value(b"branch ")
                .and_then(|name| RefName::new(String::from_utf8_lossy(name)).ok())
                .and_then(|name| name.branch()),
            bare: group.contains(&b"bare".as_slice()),
        });
    }
    found.into_iter()
}
