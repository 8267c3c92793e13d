use std::path::{Path, PathBuf};

use crate::command::Command;
use crate::error::GitError;
use crate::object_id::ObjectId;
use crate::private_index::{is_left_over, make_own_directory};
use crate::repo::Repo;

const PREFIX: &str = "_merge-";

/// The files of a target, for merge programs that a person set up for the repository: git runs those in the top level of
/// a checkout, and so do we (M-6). Nobody's worktree; gone when dropped, and what a killed process left is removed by
/// the next one.
#[derive(Debug)]
pub(crate) struct MergePlace {
    directory: PathBuf,
}

impl MergePlace {
    /// Lays out the files, where a merge program could be asked about one; nothing where none could.
    pub(crate) async fn for_merge(
        repo: &Repo,
        target: &ObjectId,
        branch: &ObjectId,
        base: Option<&ObjectId>,
    ) -> Result<Option<Self>, GitError> {
        if !has_merge_programs(repo.common_dir()) {
            return Ok(None);
        }
        let base = match base {
            Some(base) => Some(base.clone()),
            None => repo.merge_base(target, branch).await?,
        };
        if let Some(base) = &base {
            let ours = repo.changed_paths(base, target).await?;
            if ours.is_disjoint(&repo.changed_paths(base, branch).await?) {
                return Ok(None);
            }
        }
        let place = Self::make()?;
        Command::lay_out(repo, &place).args(["--reset", "-u"]).arg(target.as_str()).run().await?;
        Ok(Some(place))
    }

    fn make() -> Result<Self, GitError> {
        let parent = std::env::temp_dir();
        for entry in std::fs::read_dir(&parent).into_iter().flatten().flatten() {
            if entry.file_name().to_str().is_some_and(|name| is_left_over(name, PREFIX)) {
                remove(&entry.path());
            }
        }
        let place = Self { directory: make_own_directory(&parent, PREFIX)? };
        let files = place.files();
        std::fs::create_dir(&files).map_err(GitError::file("created", &files))?;
        Ok(place)
    }

    /// Where the files are.
    pub(crate) fn files(&self) -> PathBuf {
        self.directory.join("files")
    }

    /// The index that goes with them.
    pub(crate) fn index(&self) -> PathBuf {
        self.directory.join("index")
    }
}

impl Drop for MergePlace {
    fn drop(&mut self) {
        remove(&self.directory);
    }
}

#[expect(clippy::disallowed_methods, reason = "we made it for one merge, and no link is followed")]
fn remove(directory: &Path) {
    std::fs::remove_dir_all(directory).ok();
}

/// Whether the repository's own settings name a merge program: no others are read. What cannot be read plainly may.
fn has_merge_programs(common_dir: &Path) -> bool {
    let Ok(config) = std::fs::read(common_dir.join("config")) else { return false };
    let config = String::from_utf8_lossy(&config).to_ascii_lowercase();
    config.contains("[include") || (config.contains("[merge") && config.contains("driver"))
}
