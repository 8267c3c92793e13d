use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::command::git_program::GitProgram;
use crate::fs::regular_file::read_regular;
use crate::repo::repository::RepoOpenError;
use crate::settings::settings_copy::SettingsCopy;

/// The paths of a repository's parts.
#[derive(Debug)]
pub(crate) struct RepoLayout {
    /// The directory with objects, references and the list of worktrees.
    pub(crate) common_dir: PathBuf,
    /// The main checkout, if the repository was found through it.
    pub(crate) work_tree: Option<PathBuf>,
}

impl RepoLayout {
    /// Finds a repository with an existing settings copy by its files alone, so that the current settings, even
    /// broken ones, make no difference (W-19). `None` in any doubt.
    pub(crate) fn find_registered(git: &GitProgram, path: &Path) -> Option<Self> {
        let isolation = git.isolation()?;
        let entry = path.join(".git");
        let (git_dir, common_dir) = match entry.symlink_metadata() {
            Ok(found) if found.is_dir() => (Some(entry.clone()), entry),
            Ok(found) if found.is_file() => {
                let link = read_regular(&entry).ok()?;
                let target = link.strip_prefix(b"gitdir: ")?.trim_ascii_end();
                let git_dir = path.join(OsStr::from_bytes(target));
                let common_dir = match read_regular(&git_dir.join("commondir")) {
                    Ok(common) => git_dir.join(OsStr::from_bytes(common.trim_ascii_end())),
                    Err(_) => git_dir.clone(),
                };
                (Some(git_dir), common_dir)
            }
            Ok(_) => return None,
            Err(_) => (None, path.to_owned()),
        };
        let resolve = |directory: PathBuf| std::fs::canonicalize(directory).ok();
        let common_dir = resolve(common_dir)?;
        let is_main = match git_dir {
            Some(git_dir) => resolve(git_dir)? == common_dir,
            None => false,
        };
        let copy = SettingsCopy::find(&isolation.settings, &common_dir)?;
        let is_bare = path == common_dir;
        let has = |name: &str| common_dir.join(name).exists();
        let owner = std::fs::metadata(&common_dir).ok()?.uid();
        if is_bare != copy.is_bare()
            || owner != rustix::process::geteuid().as_raw()
            || !["HEAD", "objects", "refs"].into_iter().all(has)
        {
            return None;
        }
        Some(Self { common_dir, work_tree: is_main.then(|| path.to_owned()) })
    }

    /// Lets git find the repository of a resolved path.
    pub(crate) async fn discover(
        git: &GitProgram,
        resolved: PathBuf,
    ) -> Result<Self, RepoOpenError> {
        let outcome = GitCommand::discover(git, &resolved, "rev-parse")
            .args(["--path-format=absolute", "--git-common-dir", "--git-dir"])
            .args(["--is-bare-repository", "--is-inside-git-dir"])
            .output()
            .await?;
        if outcome.code() != Some(0) {
            let said = outcome.stderr();
            return Err(if said.contains("dubious ownership") {
                RepoOpenError::OwnedByAnother(resolved)
            } else if said.contains("not a git repository") {
                RepoOpenError::NotARepository(resolved)
            } else {
                outcome.into_error().into()
            });
        }
        let unexpected = || GitError::unexpected("rev-parse", outcome.stdout());
        let mut lines = outcome.stdout().split(|byte| *byte == b'\n');
        let common = lines.next().ok_or_else(unexpected)?;
        let is_main = lines.next() == Some(common);
        let bare = lines.next() == Some(b"true");
        let in_git_dir = lines.next() == Some(b"true");
        let common = PathBuf::from(OsStr::from_bytes(common));
        let common_dir =
            tokio::fs::canonicalize(&common).await.map_err(GitError::file("resolved", &common))?;
        if bare || in_git_dir {
            // A path inside `.git`, or below the top of a bare repository, is not the top level.
            if resolved != common_dir || !bare {
                let parent = common_dir.parent().map(Path::to_owned);
                let top = parent.filter(|_| !bare).unwrap_or(common_dir);
                return Err(RepoOpenError::Inside { path: resolved, top });
            }
        } else {
            let top = GitCommand::discover(git, &resolved, "rev-parse")
                .args(["--path-format=absolute", "--show-toplevel"])
                .run()
                .await?;
            let top = PathBuf::from(OsStr::from_bytes(top.trim_ascii_end()));
            if resolved != top {
                return Err(RepoOpenError::Inside { path: resolved, top });
            }
        }
        let work_tree = (is_main && !bare).then_some(resolved);
        Ok(Self { common_dir, work_tree })
    }
}
