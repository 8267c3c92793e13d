use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use crate::command::Command;
use crate::error::GitError;
use crate::git::Git;
use crate::person::Signature;
use crate::ref_name::BranchName;
use crate::repo::{OpenError, Repo};

/// A file that a new repository begins with. Its path comes from the source, so nothing from outside becomes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FirstFile {
    /// From the top level, with `/` between the parts.
    pub path: &'static str,
    /// What is in it.
    pub content: &'static str,
}

/// Why no repository was made.
#[derive(Debug, thiserror::Error)]
pub enum InitError {
    /// The path depends on where we stand.
    #[error("{} is not absolute; give the full path of the new repository", .0.display())]
    NotAbsolute(PathBuf),
    /// Something is there, and it is left alone.
    #[error("{} exists already; choose a path where nothing is", .0.display())]
    Taken(PathBuf),
    /// A first file would not lie in the work tree.
    #[error("{0:?} cannot be a file of a repository; give a plain path below its top level")]
    Outside(&'static str),
    /// What was made cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Git failed otherwise.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// A directory that we made just now, so that nothing in it is anybody's.
#[derive(Debug)]
pub(crate) struct Ground {
    git: Git,
    path: PathBuf,
}

impl Ground {
    /// Makes the directory; only its last part may be missing, and must be.
    async fn make(git: &Git, path: &Path) -> Result<Self, InitError> {
        if !path.is_absolute() {
            return Err(InitError::NotAbsolute(path.to_owned()));
        }
        match tokio::fs::create_dir(path).await {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                return Err(InitError::Taken(path.to_owned()));
            }
            Err(error) => return Err(GitError::file("created", path)(error).into()),
        }
        let resolved = tokio::fs::canonicalize(path).await;
        let path = resolved.map_err(GitError::file("resolved", path))?;
        Ok(Self { git: git.clone(), path })
    }

    pub(crate) fn git(&self) -> &Git {
        &self.git
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    async fn write(&self, file: &FirstFile) -> Result<(), GitError> {
        let path = self.path.join(file.path);
        if let Some(parent) = path.parent() {
            let made = tokio::fs::create_dir_all(parent).await;
            made.map_err(GitError::file("created", parent))?;
        }
        let written = tokio::fs::write(&path, file.content).await;
        written.map_err(GitError::file("written", &path))
    }
}

impl Repo {
    /// Makes a repository where nothing was, with these files in one first commit on `branch`, checked out.
    pub async fn init_with(
        git: &Git,
        path: &Path,
        branch: &BranchName,
        files: &[FirstFile],
        message: &str,
        signature: &Signature,
    ) -> Result<Self, InitError> {
        if let Some(file) = files.iter().find(|file| !lies_inside(file.path)) {
            return Err(InitError::Outside(file.path));
        }
        let ground = Ground::make(git, path).await?;
        Command::found(&ground, "init")
            .args(["--quiet", "--template="])
            .arg(format!("--initial-branch={branch}"))
            .run()
            .await?;
        for file in files {
            ground.write(file).await?;
        }
        Command::found(&ground, "add").arg("--all").run().await?;
        Command::found(&ground, "commit")
            .args(["--quiet", "--no-verify", "--allow-empty", "--file=-"])
            .signed(signature)
            .input(message)
            .run()
            .await?;
        Ok(Self::open(git, &ground.path).await?)
    }
}

/// Plain names all the way down, and none of them git's own.
fn lies_inside(path: &str) -> bool {
    let mut parts = Path::new(path).components().peekable();
    parts.peek().is_some()
        && parts.all(|part| match part {
            Component::Normal(name) => !name.eq_ignore_ascii_case(".git"),
            _ => false,
        })
}
