use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::command::git_error::GitError;
use crate::worktree::workspace_root::delete_tree;

const UNFINISHED_SUFFIX: &str = ".part";

/// The temporary path of a clone while it is being created: beside its final path, with a suffix that no clone has.
pub(crate) fn unfinished_clone_path(path: &Path) -> PathBuf {
    let mut part = path.as_os_str().to_owned();
    part.push(UNFINISHED_SUFFIX);
    PathBuf::from(part)
}

/// Removes unfinished clones that killed calls left in a directory, and returns how many. The caller ensures that no
/// clone is running there.
pub async fn discard_unfinished_clones(directory: &Path) -> Result<usize, GitError> {
    let failed = || GitError::file("read", directory);
    let mut entries = match tokio::fs::read_dir(directory).await {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
        entries => entries.map_err(failed())?,
    };
    let mut discarded = 0;
    while let Some(entry) = entries.next_entry().await.map_err(failed())? {
        if entry.file_name().as_encoded_bytes().ends_with(UNFINISHED_SUFFIX.as_bytes()) {
            delete_tree(&entry.path()).await?;
            discarded += 1;
        }
    }
    Ok(discarded)
}
