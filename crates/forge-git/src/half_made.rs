use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::error::GitError;
use crate::root::delete;

const SUFFIX: &str = ".part";

/// Where a clone is while it is being made: beside its place, under a name that nobody looks for.
pub(crate) fn half_made(path: &Path) -> PathBuf {
    let mut part = path.as_os_str().to_owned();
    part.push(SUFFIX);
    PathBuf::from(part)
}

/// Removes what killed calls left of their clones in a directory: how many. Whoever asks knows that no clone is being
/// made there now.
pub async fn discard_half_made(directory: &Path) -> Result<usize, GitError> {
    let failed = || GitError::file("read", directory);
    let mut entries = match tokio::fs::read_dir(directory).await {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
        entries => entries.map_err(failed())?,
    };
    let mut discarded = 0;
    while let Some(entry) = entries.next_entry().await.map_err(failed())? {
        if entry.file_name().as_encoded_bytes().ends_with(SUFFIX.as_bytes()) {
            delete(&entry.path()).await?;
            discarded += 1;
        }
    }
    Ok(discarded)
}
