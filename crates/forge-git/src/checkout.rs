use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::command::Command;
use crate::error::GitError;
use crate::record::Record;
use crate::ref_name::{BranchName, RefName};
use crate::repo::Repo;

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

    /// Every checkout git knows of, also one whose directory is gone.
    pub(crate) async fn checkouts(&self) -> Result<Vec<Checkout>, GitError> {
        let list =
            Command::read(self, "worktree").args(["list", "--porcelain", "-z"]).run().await?;
        let linked = Record::load_all(self).await?;
        let mut checkouts = Vec::new();
        for (position, entry) in entries(&list).enumerate() {
            if entry.bare {
                continue;
            }
            let place = if position == 0 {
                self.main_checkout(entry.path)
            } else {
                linked.get(entry.path).map(|git_dir| (entry.path.to_owned(), git_dir.clone()))
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
