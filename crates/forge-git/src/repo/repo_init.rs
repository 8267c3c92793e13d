use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::command::git_program::GitProgram;
use crate::merge::commit_identity::CommitSignature;
use crate::refs::ref_name::BranchName;
use crate::repo::repository::{Repo, RepoOpenError};

/// A file of a new repository's first commit. Its path is a constant of the source, so it never comes from user
/// input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InitialFile {
    /// The path from the top level, with `/` between the parts.
    pub path: &'static str,
    pub content: &'static str,
}

/// Why no repository was created.
#[derive(Debug, thiserror::Error)]
pub enum RepoInitError {
    /// The path is relative.
    #[error("{} is not absolute; give the full path of the new repository", .0.display())]
    NotAbsolute(PathBuf),
    /// The path exists already. Forge changes nothing there.
    #[error("{} exists already; choose a path where nothing is", .0.display())]
    Taken(PathBuf),
    /// A first file would not be inside the work tree.
    #[error("{0:?} cannot be a file of a repository; give a plain path below its top level")]
    Outside(&'static str),
    /// The new repository cannot be opened.
    #[error(transparent)]
    Open(#[from] RepoOpenError),
    /// Any other failure of git.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// A directory that Forge created just now, so that it holds no user files.
#[derive(Debug)]
pub(crate) struct NewRepoDir {
    git: GitProgram,
    path: PathBuf,
}

impl NewRepoDir {
    /// Creates the directory. Its parent must exist, and the directory itself must not.
    async fn create(git: &GitProgram, path: &Path) -> Result<Self, RepoInitError> {
        if !path.is_absolute() {
            return Err(RepoInitError::NotAbsolute(path.to_owned()));
        }
        match tokio::fs::create_dir(path).await {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                return Err(RepoInitError::Taken(path.to_owned()));
            }
            Err(error) => return Err(GitError::file("created", path)(error).into()),
        }
        let resolved = tokio::fs::canonicalize(path).await;
        let path = resolved.map_err(GitError::file("resolved", path))?;
        Ok(Self { git: git.clone(), path })
    }

    pub(crate) fn git(&self) -> &GitProgram {
        &self.git
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    async fn write(&self, file: &InitialFile) -> Result<(), GitError> {
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
    /// Creates a repository at a new path, with these files in one first commit on `branch`, checked out.
    pub async fn init_with(
        git: &GitProgram,
        path: &Path,
        branch: &BranchName,
        files: &[InitialFile],
        message: &str,
        signature: &CommitSignature,
    ) -> Result<Self, RepoInitError> {
        if let Some(file) = files.iter().find(|file| !is_inside(file.path)) {
            return Err(RepoInitError::Outside(file.path));
        }
        let ground = NewRepoDir::create(git, path).await?;
        GitCommand::init_repo(&ground, "init")
            .args(["--quiet", "--template="])
            .arg(format!("--initial-branch={branch}"))
            .run()
            .await?;
        for file in files {
            ground.write(file).await?;
        }
        GitCommand::init_repo(&ground, "add").arg("--all").run().await?;
        GitCommand::init_repo(&ground, "commit")
            .args(["--quiet", "--no-verify", "--allow-empty", "--file=-"])
            .signed(signature)
            .input(message)
            .run()
            .await?;
        Ok(Self::open(git, &ground.path).await?)
    }
}

/// Whether a path has only normal components, none of them `.git`.
fn is_inside(path: &str) -> bool {
    let mut parts = Path::new(path).components().peekable();
    parts.peek().is_some()
        && parts.all(|part| match part {
            Component::Normal(name) => !name.eq_ignore_ascii_case(".git"),
            _ => false,
        })
}
