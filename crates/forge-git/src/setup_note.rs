//! The note that a workspace's setup is done.

use std::io::ErrorKind;
use std::path::PathBuf;

use crate::error::GitError;
use crate::worktree::{HeldWorktree, Worktree};

/// A file that says which setup a workspace has had.
#[derive(Debug)]
pub struct SetupNote(PathBuf);

impl SetupNote {
    /// The note in this file, which need not be there.
    pub fn at(path: PathBuf) -> Self {
        Self(path)
    }

    /// What was last noted.
    pub async fn load(&self) -> Result<Option<String>, GitError> {
        match tokio::fs::read_to_string(&self.0).await {
            Ok(note) => Ok(Some(note)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            // Whoever wrote that was not us: it says nothing.
            Err(error) if error.kind() == ErrorKind::InvalidData => Ok(None),
            Err(error) => Err(GitError::file("read", &self.0)(error)),
        }
    }

    /// Notes that the setup is done, in one step that survives a power cut.
    pub async fn save(&self, note: &str) -> Result<(), GitError> {
        let new = self.0.with_extension("new");
        let written = async {
            tokio::fs::write(&new, note).await?;
            tokio::fs::File::open(&new).await?.sync_all().await?;
            tokio::fs::rename(&new, &self.0).await
        };
        written.await.map_err(GitError::file("written", &self.0))
    }

    /// Forgets the note: from now on the setup is not done.
    pub async fn forget(&self) -> Result<(), GitError> {
        match tokio::fs::remove_file(&self.0).await {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(GitError::file("removed", &self.0)(error))
            }
            _ => Ok(()),
        }
    }
}

impl Worktree {
    /// What was last noted about this worktree's setup. It is kept with git's record of the worktree, so a worktree
    /// that is made again has none.
    pub async fn setup_note(&self) -> Result<Option<String>, GitError> {
        self.note().load().await
    }

    fn note(&self) -> SetupNote {
        SetupNote::at(self.git_dir().join("forge-setup"))
    }
}

impl HeldWorktree {
    /// Notes that the setup is done.
    pub async fn note_setup(&self, note: &str) -> Result<(), GitError> {
        self.note().save(note).await
    }

    /// Forgets the note.
    pub async fn forget_setup(&self) -> Result<(), GitError> {
        self.note().forget().await
    }
}
