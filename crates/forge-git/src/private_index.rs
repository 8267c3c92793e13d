use std::io::ErrorKind;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use crate::error::GitError;

/// A copy of a checkout's index to ask questions with, so that the real one is not even locked. Gone when dropped.
#[derive(Debug)]
pub(crate) struct PrivateIndex {
    directory: PathBuf,
    file: PathBuf,
}

impl PrivateIndex {
    /// Copies the index of a git directory; a missing one counts as empty.
    pub(crate) async fn copy_of(git_dir: &Path) -> Result<Self, GitError> {
        let directory = make_directory()?;
        let file = directory.join("index");
        let copy = Self { directory, file };
        let original = git_dir.join("index");
        match tokio::fs::copy(&original, &copy.file).await {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(GitError::file("copied", &original)(error))
            }
            _ => Ok(copy),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.file
    }
}

impl Drop for PrivateIndex {
    fn drop(&mut self) {
        let lock = self.directory.join("index.lock");
        for file in [&self.file, &lock] {
            std::fs::remove_file(file).ok();
        }
        std::fs::remove_dir(&self.directory).ok();
    }
}

// A directory nobody else may enter, under a name nobody took: what lies in it is ours.
fn make_directory() -> Result<PathBuf, GitError> {
    let parent = std::env::temp_dir();
    let process = std::process::id();
    let mut builder = std::fs::DirBuilder::new();
    builder.mode(0o700);
    for number in 0_u64.. {
        let directory = parent.join(format!("forge-index-{process}-{number}"));
        match builder.create(&directory) {
            Ok(()) => return Ok(directory),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(GitError::file("created", &directory)(error)),
        }
    }
    Err(GitError::file("created", &parent)(ErrorKind::AlreadyExists.into()))
}
