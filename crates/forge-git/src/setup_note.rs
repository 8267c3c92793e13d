use std::io::ErrorKind;
use std::path::PathBuf;

use crate::error::GitError;
use crate::worktree::{HeldWorktree, Worktree};

impl Worktree {
    /// What was last noted about this worktree's setup. It is kept with git's record of the worktree, so a worktree
    /// that is made again has none.
    pub async fn setup_note(&self) -> Result<Option<String>, GitError> {
        let path = self.setup_note_path();
        match tokio::fs::read_to_string(&path).await {
            Ok(note) => Ok(Some(note)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            // Whoever wrote that was not us: it says nothing.
            Err(error) if error.kind() == ErrorKind::InvalidData => Ok(None),
            Err(error) => Err(GitError::file("read", &path)(error)),
        }
    }

    fn setup_note_path(&self) -> PathBuf {
        self.git_dir().join("forge-setup")
    }
}

impl HeldWorktree {
    /// Notes that the setup is done, in one step that survives a power cut.
    pub async fn note_setup(&self, note: &str) -> Result<(), GitError> {
        let path = self.setup_note_path();
        let new = path.with_extension("new");
        let written = async {
            tokio::fs::write(&new, note).await?;
            tokio::fs::File::open(&new).await?.sync_all().await?;
            tokio::fs::rename(&new, &path).await
        };
        written.await.map_err(GitError::file("written", &path))
    }

    /// Forgets the note: from now on the setup is not done.
    pub async fn forget_setup(&self) -> Result<(), GitError> {
        let path = self.setup_note_path();
        match tokio::fs::remove_file(&path).await {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(GitError::file("removed", &path)(error))
            }
            _ => Ok(()),
        }
    }
}
