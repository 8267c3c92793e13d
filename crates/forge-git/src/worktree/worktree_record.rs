use std::io::{ErrorKind, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::command::run_in_place::run_in_place;
use crate::fs::git_subdirectory::create_git_subdirectory;
use crate::pool::ignored_files_owner::IgnoredFilesOwner;
use crate::refs::object_id::ObjectId;
use crate::refs::ref_lookup;
use crate::refs::ref_name::BranchName;
use crate::repo::repo_lock::LockedRepo;
use crate::repo::repository::Repo;
use crate::worktree::workspace_root::{DirectoryName, delete_tree};
use crate::worktree::worktree_records::WorktreeRecords;

/// The directory of worktree records in a repository.
pub(crate) const RECORDS_DIR: &str = "worktrees";
const INITIALIZING_REASON: &[u8] = b"initializing";
const IGNORED_FILES_OWNER_FILE: &str = "forge-ignored-owner";
/// The name of that file in earlier versions.
const OLD_IGNORED_FILES_OWNER_FILE: &str = "forge-keeper";

/// Git's own record of a linked worktree: `<common dir>/worktrees/<id>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WorktreeRecord {
    git_dir: PathBuf,
}

/// The HEAD of a new worktree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WorktreeHead {
    /// An existing branch.
    Branch(BranchName),
    /// A commit, detached.
    Detached(ObjectId),
}

impl WorktreeRecord {
    /// The record that names `path` as its worktree.
    pub(crate) async fn find(repo: &Repo, path: &Path) -> Result<Option<Self>, GitError> {
        // A record usually has the name of its directory, unless it came from the pool or the name was taken.
        if let Some(name) = path.file_name() {
            let git_dir = repo.common_dir().join(RECORDS_DIR).join(name);
            let likely = Self { git_dir };
            if likely.git_file_path().is_some_and(|target| target == path.join(".git")) {
                return Ok(Some(likely));
            }
        }
        Ok(WorktreeRecords::load(repo).await?.record_of(path).cloned())
    }

    /// Creates a record and the directory that it names, without files: what `git worktree add --no-checkout` does,
    /// with the same `locked` marker until it is finished, so that a kill leaves only states that git could have left.
    ///
    /// Unlike git it names the directory after `commondir` is complete: the user's git, running at the same moment,
    /// stops with an error at a named record whose `commondir` is empty.
    pub(crate) async fn create(
        locked: &LockedRepo,
        path: &Path,
        name: &str,
        head: &WorktreeHead,
    ) -> Result<Self, GitError> {
        let repo = locked.repo();
        if !ref_lookup::are_refs_in_files(repo.common_dir()) {
            return Self::create_with_git(locked, path, head).await;
        }
        let (common_dir, path) = (repo.common_dir().to_owned(), path.to_owned());
        let (name, head) = (name.to_owned(), head.clone());
        let place = path.clone();
        // If the caller is cancelled, the lock stays held until the work below is done.
        let kept = locked.clone_lock_handle()?;
        let making = run_in_place(move || {
            let _kept = kept;
            let record = Self { git_dir: create_free_directory(&common_dir, &name)? };
            let git_dir = &record.git_dir;
            std::fs::write(git_dir.join("locked"), INITIALIZING_REASON)?;
            std::fs::write(git_dir.join("commondir"), "../..\n")?;
            let mut link = path.join(".git").into_os_string().into_encoded_bytes();
            link.push(b'\n');
            record.replace("gitdir", &link)?;
            std::fs::create_dir_all(&path)?;
            let mut link = b"gitdir: ".to_vec();
            link.extend_from_slice(git_dir.as_os_str().as_bytes());
            link.push(b'\n');
            std::fs::write(path.join(".git"), link)?;
            let head = match head {
                WorktreeHead::Branch(branch) => format!("ref: {}\n", branch.to_ref()),
                WorktreeHead::Detached(commit) => format!("{commit}\n"),
            };
            record.replace("HEAD", head.as_bytes())?;
            std::fs::remove_file(git_dir.join("locked"))?;
            Ok(record)
        });
        let made = making.await.flatten();
        made.map_err(GitError::file("written", &place))
    }

    /// Creates the record with git, for repositories whose references are not stored in files.
    async fn create_with_git(
        locked: &LockedRepo,
        path: &Path,
        head: &WorktreeHead,
    ) -> Result<Self, GitError> {
        let command =
            GitCommand::write_worktree_list(locked)?.args(["add", "--quiet", "--no-checkout"]);
        let command = match head {
            WorktreeHead::Branch(branch) => command.arg("--").arg(path).arg(branch.as_str()),
            WorktreeHead::Detached(commit) => {
                command.args(["--detach", "--"]).arg(path).arg(commit.as_str())
            }
        };
        command.run().await?;
        let record = Self::find(locked.repo(), path).await?;
        record.ok_or_else(|| GitError::unexpected("worktree", b"no record was made"))
    }

    /// The record in this git directory, without checking that it exists.
    pub(crate) fn from_git_dir(git_dir: &Path) -> Self {
        Self { git_dir: git_dir.to_owned() }
    }

    pub(crate) fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// Whether git finished writing the record. It writes `HEAD` last and then removes its `locked` marker.
    pub(crate) fn is_complete(&self) -> bool {
        let has = |name: &str| self.git_dir.join(name).metadata().is_ok_and(|file| file.len() > 0);
        has("HEAD") && has("commondir") && !self.is_initializing()
    }

    pub(crate) fn is_initializing(&self) -> bool {
        std::fs::read(self.git_dir.join("locked"))
            .is_ok_and(|reason| reason.trim_ascii() == INITIALIZING_REASON)
    }

    /// The path of the worktree's `.git` file.
    fn git_file_path(&self) -> Option<PathBuf> {
        self.parse_git_file_path(&std::fs::read(self.git_dir.join("gitdir")).ok()?)
    }

    /// The path of the worktree's `.git` file, from the content of `gitdir`.
    pub(crate) fn parse_git_file_path(&self, gitdir: &[u8]) -> Option<PathBuf> {
        let gitdir = gitdir.trim_ascii_end();
        if gitdir.is_empty() {
            return None;
        }
        Some(self.git_dir.join(std::ffi::OsStr::from_bytes(gitdir)))
    }

    /// Whether the record's id is this directory's name, optionally with a number.
    pub(crate) fn is_named_after(&self, directory: &DirectoryName) -> bool {
        let id = self.git_dir.file_name().and_then(|id| id.to_str());
        let number = id.and_then(|id| id.strip_prefix(directory.as_str()));
        number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    }

    /// Whether the files were checked out once. Agents start only after that, so before it nothing can be lost.
    pub(crate) fn is_checked_out(&self) -> Result<bool, GitError> {
        let marker = self.checked_out_marker();
        marker.try_exists().map_err(GitError::file("read", &marker))
    }

    /// Marks the files as checked out. The marker is synced to disk before any agent starts: without it, after a
    /// power cut, Forge would overwrite an agent's files.
    pub(crate) fn set_checked_out(&self) -> Result<(), GitError> {
        let marker = self.checked_out_marker();
        let written = std::fs::File::create(&marker).and_then(|file| file.sync_all());
        written.map_err(GitError::file("written", &marker))
    }

    /// Removes the marker before `HEAD` moves without the files: the next use then checks the files out first.
    pub(crate) fn clear_checked_out(&self) -> Result<(), GitError> {
        remove_if_present(&self.checked_out_marker())
    }

    /// Points HEAD to a branch without touching the files.
    pub(crate) fn set_head_branch(&self, branch: &BranchName) -> Result<(), GitError> {
        self.write_head(&format!("ref: {}\n", branch.to_ref()))
    }

    /// Points HEAD to a commit without touching the files.
    pub(crate) fn detach_head(&self, commit: &ObjectId) -> Result<(), GitError> {
        self.write_head(&format!("{commit}\n"))
    }

    // Uses git's own lock protocol: if another process is writing `HEAD`, this call fails. `git symbolic-ref` takes
    // 2.9 ms of the 4 ms that a claim of a pooled worktree of 20,000 files may take.
    fn write_head(&self, content: &str) -> Result<(), GitError> {
        let (lock, path) = (self.git_dir.join("HEAD.lock"), self.git_dir.join("HEAD"));
        let written = std::fs::File::create_new(&lock)
            .and_then(|mut file| file.write_all(content.as_bytes()))
            .and_then(|()| std::fs::rename(&lock, &path));
        written.map_err(GitError::file("written", &path))
    }

    /// Updates the path of the worktree. `git worktree move` takes 5.5 ms, more than the 4 ms of a whole claim, and
    /// moves the directory before the record names it.
    pub(crate) fn set_worktree_path(&self, directory: &Path) -> Result<(), GitError> {
        let mut content = directory.join(".git").into_os_string().into_encoded_bytes();
        content.push(b'\n');
        self.replace("gitdir", &content).map_err(GitError::file("written", &self.git_dir))
    }

    /// Writes one of the record's files atomically.
    fn replace(&self, name: &str, content: &[u8]) -> std::io::Result<()> {
        let new = self.git_dir.join(format!("{name}.forge"));
        std::fs::write(&new, content)?;
        std::fs::rename(&new, self.git_dir.join(name))
    }

    /// Removes all other state of the worktree: its index, a merge in progress, locks, reflog.
    pub(crate) async fn clear_state(&self) -> Result<(), GitError> {
        let read = GitError::file("read", &self.git_dir);
        let entries = std::fs::read_dir(&self.git_dir).map_err(read)?;
        for entry in entries.flatten() {
            let kept =
                ["HEAD", "commondir", "gitdir"].iter().any(|name| entry.file_name() == *name);
            if !kept {
                delete_tree(&entry.path()).await?;
            }
        }
        Ok(())
    }

    /// Removes the reflog of the worktree's HEAD.
    pub(crate) fn remove_reflog(&self) -> Result<(), GitError> {
        remove_if_present(&self.git_dir.join("logs").join("HEAD"))
    }

    /// Whether the worktree has settings of its own, which no other task may inherit.
    pub(crate) fn has_settings(&self) -> bool {
        ["config.worktree", "info"]
            .iter()
            .any(|name| self.git_dir.join(name).symlink_metadata().is_ok())
    }

    /// The owner of ignored files that were kept in the worktree.
    pub(crate) fn ignored_files_owner(&self) -> Option<IgnoredFilesOwner> {
        [IGNORED_FILES_OWNER_FILE, OLD_IGNORED_FILES_OWNER_FILE]
            .iter()
            .find_map(|name| std::fs::read_to_string(self.git_dir.join(name)).ok())
            .map(IgnoredFilesOwner::new)
    }

    pub(crate) fn set_ignored_files_owner(
        &self,
        owner: &IgnoredFilesOwner,
    ) -> Result<(), GitError> {
        let written = self.replace(IGNORED_FILES_OWNER_FILE, owner.as_str().as_bytes());
        written.map_err(GitError::file("written", &self.git_dir))
    }

    fn checked_out_marker(&self) -> PathBuf {
        self.git_dir.join("forge-checked-out")
    }

    /// Removes this record and no other: `git worktree prune` would also remove the record of a user's worktree on an
    /// unmounted disk. Git ignores a record that names no directory, so the name goes first: the user's git never
    /// meets half of it.
    pub(crate) async fn delete(self) -> Result<(), GitError> {
        remove_if_present(&self.git_dir.join("gitdir"))?;
        delete_tree(&self.git_dir).await
    }
}

/// Creates a directory with this name, or with the name and a number. Git itself uses the first name that it can
/// create, too.
fn create_free_directory(common_dir: &Path, name: &str) -> std::io::Result<PathBuf> {
    let worktrees = create_git_subdirectory(common_dir, RECORDS_DIR)?;
    let mut number = 0_u32;
    loop {
        let id = if number == 0 { name.to_owned() } else { format!("{name}{number}") };
        let directory = worktrees.join(id);
        match std::fs::create_dir(&directory) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && number < u32::MAX => {
                number += 1;
            }
            made => return made.map(|()| directory),
        }
    }
}

fn remove_if_present(path: &Path) -> Result<(), GitError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(GitError::file("removed", path)(error))
        }
        _ => Ok(()),
    }
}
