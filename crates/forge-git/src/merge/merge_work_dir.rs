use std::path::{Path, PathBuf};

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::index::private_index::{create_owned_directory, is_left_by_dead_process};
use crate::refs::object_id::ObjectId;
use crate::repo::repository::Repo;

const MERGE_DIR_PREFIX: &str = "_merge-";

/// A temporary checkout of a target's files, for merge programs that the user configured in the repository: git runs
/// them in the top level of a checkout, and Forge does the same (M-6). It is not a worktree of any task. It is
/// deleted when dropped; the next call deletes what a killed process left.
#[derive(Debug)]
pub(crate) struct MergeWorkDir {
    directory: PathBuf,
}

impl MergeWorkDir {
    /// Checks the target's files out, if a merge program could run for one of them; otherwise returns `None`.
    pub(crate) async fn prepare(
        repo: &Repo,
        target: &ObjectId,
        branch: &ObjectId,
        base: Option<&ObjectId>,
    ) -> Result<Option<Self>, GitError> {
        if !has_merge_programs(repo.settings_dir()) {
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
        let place = Self::create()?;
        GitCommand::check_out_for_merge(repo, &place)
            .args(["--reset", "-u"])
            .arg(target.as_str())
            .run()
            .await?;
        Ok(Some(place))
    }

    fn create() -> Result<Self, GitError> {
        let parent = std::env::temp_dir();
        for entry in std::fs::read_dir(&parent).into_iter().flatten().flatten() {
            if entry
                .file_name()
                .to_str()
                .is_some_and(|name| is_left_by_dead_process(name, MERGE_DIR_PREFIX))
            {
                remove_directory(&entry.path());
            }
        }
        let place = Self { directory: create_owned_directory(&parent, MERGE_DIR_PREFIX)? };
        let files = place.files();
        std::fs::create_dir(&files).map_err(GitError::file("created", &files))?;
        Ok(place)
    }

    /// The directory with the files.
    pub(crate) fn files(&self) -> PathBuf {
        self.directory.join("files")
    }

    /// The index of those files.
    pub(crate) fn index(&self) -> PathBuf {
        self.directory.join("index")
    }
}

impl Drop for MergeWorkDir {
    fn drop(&mut self) {
        remove_directory(&self.directory);
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "Forge created it for one merge, and no link is followed"
)]
fn remove_directory(directory: &Path) {
    std::fs::remove_dir_all(directory).ok();
}

/// Whether the repository's settings name a merge program; no other settings are read. An include may hide one, so it
/// counts as one.
fn has_merge_programs(settings_dir: &Path) -> bool {
    let Ok(config) = std::fs::read(settings_dir.join("config")) else { return false };
    let config = String::from_utf8_lossy(&config).to_ascii_lowercase();
    config.contains("[include") || (config.contains("[merge") && config.contains("driver"))
}
