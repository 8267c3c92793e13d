use std::ffi::OsString;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::error::GitError;
use crate::git::Git;
use crate::object_id::ObjectId;
use crate::private_index::{is_left_over, make_own_directory};
use crate::repo::Repo;

const PREFIX: &str = "forge-radar-";

/// An empty repository that reads the objects of another. What test merges write goes here and is thrown away with it;
/// and nothing that is configured there, merge programs above all, counts here. Gone when dropped; what a killed process
/// left is removed by the next one.
#[derive(Debug)]
pub(crate) struct Scratch {
    git: Git,
    directory: PathBuf,
    shallow: Option<PathBuf>,
}

impl Scratch {
    /// Makes one beside a repository whose ids look like this one.
    pub(crate) fn beside(repo: &Repo, sample: &ObjectId) -> Result<Self, GitError> {
        let parent = std::env::temp_dir();
        for entry in std::fs::read_dir(&parent).into_iter().flatten().flatten() {
            if entry.file_name().to_str().is_some_and(|name| is_left_over(name, PREFIX)) {
                remove(&entry.path());
            }
        }
        let directory = make_own_directory(&parent, PREFIX)?;
        let shallow = Some(repo.common_dir().join("shallow")).filter(|file| file.exists());
        let scratch = Self { git: repo.git().clone(), directory, shallow };
        scratch.fill(&repo.common_dir().join("objects"), sample)?;
        Ok(scratch)
    }

    fn fill(&self, objects: &Path, sample: &ObjectId) -> Result<(), GitError> {
        if objects.as_os_str().as_bytes().contains(&b'\n') {
            let odd = std::io::Error::new(ErrorKind::InvalidInput, "its name has a line break");
            return Err(GitError::file("used", objects)(odd));
        }
        for name in ["refs", "objects", "objects/info"] {
            let path = self.directory.join(name);
            std::fs::create_dir(&path).map_err(GitError::file("created", &path))?;
        }
        let format = match sample.as_str().len() {
            64 => {
                "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = sha256\n"
            }
            _ => "[core]\n\trepositoryformatversion = 0\n\tbare = true\n",
        };
        let mut alternates = objects.as_os_str().to_owned();
        alternates.push("\n");
        let files = [
            ("HEAD", OsString::from("ref: refs/heads/none\n")),
            ("config", OsString::from(format)),
            ("objects/info/alternates", alternates),
        ];
        for (name, content) in files {
            let path = self.directory.join(name);
            std::fs::write(&path, content.as_bytes()).map_err(GitError::file("written", &path))?;
        }
        Ok(())
    }

    pub(crate) fn git(&self) -> &Git {
        &self.git
    }

    pub(crate) fn path(&self) -> &Path {
        &self.directory
    }

    /// Where the history that it reads was cut off.
    pub(crate) fn shallow(&self) -> Option<&Path> {
        self.shallow.as_deref()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove(&self.directory);
    }
}

/// Removes what we and git put there: plain files, at most three directories deep. No link is followed.
fn remove(directory: &Path) {
    remove_below(directory, 3);
}

fn remove_below(directory: &Path, depth: usize) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        if depth > 0 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_below(&entry.path(), depth - 1);
        } else {
            std::fs::remove_file(entry.path()).ok();
        }
    }
    std::fs::remove_dir(directory).ok();
}
