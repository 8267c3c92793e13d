use std::ffi::OsString;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::command::git_error::GitError;
use crate::command::git_program::GitProgram;
use crate::index::private_index::{create_owned_directory, is_left_by_dead_process};
use crate::refs::object_id::ObjectId;
use crate::repo::repository::Repo;

const SCRATCH_DIR_PREFIX: &str = "forge-radar-";

/// An empty repository that reads the objects of another. Test merges write their objects here, and dropping it
/// deletes them. The settings of the other repository, above all its merge programs, do not apply here. The next call
/// deletes what a killed process left.
#[derive(Debug)]
pub(crate) struct ScratchRepo {
    git: GitProgram,
    directory: PathBuf,
    shallow: Option<PathBuf>,
}

impl ScratchRepo {
    /// Creates a scratch repository with the object format of `sample`.
    pub(crate) fn create_for(repo: &Repo, sample: &ObjectId) -> Result<Self, GitError> {
        let parent = std::env::temp_dir();
        for entry in std::fs::read_dir(&parent).into_iter().flatten().flatten() {
            if entry
                .file_name()
                .to_str()
                .is_some_and(|name| is_left_by_dead_process(name, SCRATCH_DIR_PREFIX))
            {
                remove_scratch(&entry.path());
            }
        }
        let directory = create_owned_directory(&parent, SCRATCH_DIR_PREFIX)?;
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

    pub(crate) fn git(&self) -> &GitProgram {
        &self.git
    }

    pub(crate) fn path(&self) -> &Path {
        &self.directory
    }

    /// The file that says where the borrowed history is cut off (a shallow clone).
    pub(crate) fn shallow(&self) -> Option<&Path> {
        self.shallow.as_deref()
    }
}

impl Drop for ScratchRepo {
    fn drop(&mut self) {
        remove_scratch(&self.directory);
    }
}

/// Removes the files that Forge and git created: regular files, at most three directories deep. No link is followed.
fn remove_scratch(directory: &Path) {
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
