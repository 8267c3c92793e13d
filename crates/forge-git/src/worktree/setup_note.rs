//! The record that a workspace's setup is done.

use std::io::ErrorKind;
use std::path::PathBuf;

use crate::command::git_error::GitError;
use crate::worktree::worktree_handle::{LockedWorktree, Worktree};

/// A file that names the setup that a workspace has completed.
#[derive(Debug)]
pub struct SetupNote(PathBuf);

impl SetupNote {
    /// The note in this file, which need not exist.
    pub fn at(path: PathBuf) -> Self {
        Self(path)
    }

    /// The last saved note.
    pub async fn load(&self) -> Result<Option<String>, GitError> {
        match tokio::fs::read_to_string(&self.0).await {
            Ok(note) => Ok(Some(note)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            // Another program wrote a file that is not UTF-8: ignore it.
            Err(error) if error.kind() == ErrorKind::InvalidData => Ok(None),
            Err(error) => Err(GitError::file("read", &self.0)(error)),
        }
    }

    /// Saves the note atomically and durably.
    pub async fn save(&self, note: &str) -> Result<(), GitError> {
        let new = self.0.with_extension("new");
        let written = async {
            tokio::fs::write(&new, note).await?;
            tokio::fs::File::open(&new).await?.sync_all().await?;
            tokio::fs::rename(&new, &self.0).await
        };
        written.await.map_err(GitError::file("written", &self.0))
    }

    /// Removes the note: the setup counts as not done.
    pub async fn remove(&self) -> Result<(), GitError> {
        match tokio::fs::remove_file(&self.0).await {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(GitError::file("removed", &self.0)(error))
            }
            _ => Ok(()),
        }
    }
}

impl Worktree {
    /// The last note about this worktree's setup. It is stored with git's record of the worktree, so a recreated
    /// worktree has none.
    pub async fn load_setup_note(&self) -> Result<Option<String>, GitError> {
        self.setup_note_file().load().await
    }

    fn setup_note_file(&self) -> SetupNote {
        SetupNote::at(self.git_dir().join("forge-setup"))
    }
}

impl LockedWorktree {
    /// Saves that the setup is done.
    pub async fn save_setup_note(&self, note: &str) -> Result<(), GitError> {
        self.setup_note_file().save(note).await
    }

    /// Removes the note.
    pub async fn remove_setup_note(&self) -> Result<(), GitError> {
        self.setup_note_file().remove().await
    }
}
