use std::io::{ErrorKind, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::command::Command;
use crate::error::GitError;
use crate::files::Prepared;
use crate::inner_directory::make_inner_directory;
use crate::keeper::Keeper;
use crate::lock::LockedRepo;
use crate::object_id::ObjectId;
use crate::ref_file;
use crate::ref_name::BranchName;
use crate::repo::Repo;
use crate::root::{DirectoryName, delete};
use crate::short_work::short_work;
use crate::survey::Survey;

/// Where in a repository they are.
pub(crate) const RECORDS: &str = "worktrees";
const INITIALIZING: &[u8] = b"initializing";
const KEEPER: &str = "forge-keeper";

/// Git's own record of a linked worktree: `<common dir>/worktrees/<id>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    git_dir: PathBuf,
}

/// What a new worktree is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Head {
    /// A branch that is there.
    On(BranchName),
    /// A commit.
    At(ObjectId),
}

impl Record {
    /// The record that names `path` as its worktree.
    pub(crate) async fn find(repo: &Repo, path: &Path) -> Result<Option<Self>, GitError> {
        // Called after its directory, unless it came from the pool or the name was taken.
        if let Some(name) = path.file_name() {
            let git_dir = repo.common_dir().join(RECORDS).join(name);
            let likely = Self { git_dir };
            if likely.target().is_some_and(|target| target == path.join(".git")) {
                return Ok(Some(likely));
            }
        }
        Ok(Survey::of(repo).await?.record_of(path).cloned())
    }

    /// Makes a record and the directory it names, with no file in it yet: what `git worktree add --no-checkout` does, in
    /// the same order and with the same sign that it is not finished, so that a kill leaves nothing that git could not
    /// have left. A directory that was prepared gets its name last: a record without a directory is one that nobody
    /// began to use, files without a record would be somebody's.
    pub(crate) async fn make(
        locked: &LockedRepo,
        path: &Path,
        name: &str,
        head: &Head,
        prepared: Option<Prepared>,
    ) -> Result<Self, GitError> {
        let repo = locked.repo();
        if !ref_file::are_files(repo.common_dir()) {
            return Self::add(locked, path, head).await;
        }
        let (common_dir, path) = (repo.common_dir().to_owned(), path.to_owned());
        let (name, head) = (name.to_owned(), head.clone());
        let place = path.clone();
        // Should the caller lose interest, nobody else gets the lock before this is done.
        let kept = locked.share()?;
        let making = short_work(move || {
            let _kept = kept;
            let git_dir = free_directory(&common_dir, &name)?;
            std::fs::write(git_dir.join("locked"), INITIALIZING)?;
            let mut link = path.join(".git").into_os_string().into_encoded_bytes();
            link.push(b'\n');
            std::fs::write(git_dir.join("gitdir"), link)?;
            let directory = prepared.as_ref().map_or(&path, |prepared| &prepared.path);
            std::fs::create_dir_all(directory)?;
            let mut link = b"gitdir: ".to_vec();
            link.extend_from_slice(git_dir.as_os_str().as_bytes());
            link.push(b'\n');
            std::fs::write(directory.join(".git"), link)?;
            std::fs::write(git_dir.join("commondir"), "../..\n")?;
            let head = match head {
                Head::On(branch) => format!("ref: {}\n", branch.to_ref()),
                Head::At(commit) => format!("{commit}\n"),
            };
            std::fs::write(git_dir.join("HEAD"), head)?;
            std::fs::remove_file(git_dir.join("locked"))?;
            if let Some(prepared) = prepared {
                std::fs::rename(&prepared.path, &path)?;
            }
            Ok(Self { git_dir })
        });
        let made = making.await.flatten();
        made.map_err(GitError::file("written", &place))
    }

    /// The same by git, which alone knows its other storages.
    async fn add(locked: &LockedRepo, path: &Path, head: &Head) -> Result<Self, GitError> {
        let command =
            Command::write_refs(locked, "worktree")?.args(["add", "--quiet", "--no-checkout"]);
        let command = match head {
            Head::On(branch) => command.arg("--").arg(path).arg(branch.as_str()),
            Head::At(commit) => command.args(["--detach", "--"]).arg(path).arg(commit.as_str()),
        };
        command.run().await?;
        let record = Self::find(locked.repo(), path).await?;
        record.ok_or_else(|| GitError::unexpected("worktree", b"no record was made"))
    }

    /// The record of a worktree that was listed.
    pub(crate) fn at(git_dir: &Path) -> Self {
        Self { git_dir: git_dir.to_owned() }
    }

    pub(crate) fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// Whether git finished writing the record. It writes `HEAD` last and then takes its own lock off.
    pub(crate) fn is_complete(&self) -> bool {
        let has = |name: &str| self.git_dir.join(name).metadata().is_ok_and(|file| file.len() > 0);
        has("HEAD") && has("commondir") && !self.is_initializing()
    }

    pub(crate) fn is_initializing(&self) -> bool {
        std::fs::read(self.git_dir.join("locked"))
            .is_ok_and(|reason| reason.trim_ascii() == INITIALIZING)
    }

    /// The `.git` file that it points to.
    fn target(&self) -> Option<PathBuf> {
        self.target_in(&std::fs::read(self.git_dir.join("gitdir")).ok()?)
    }

    /// The same by the content of its `gitdir`.
    pub(crate) fn target_in(&self, gitdir: &[u8]) -> Option<PathBuf> {
        let gitdir = gitdir.trim_ascii_end();
        if gitdir.is_empty() {
            return None;
        }
        Some(self.git_dir.join(std::ffi::OsStr::from_bytes(gitdir)))
    }

    /// Whether its id is a directory's name, or that and a number.
    pub(crate) fn is_named_after(&self, directory: &DirectoryName) -> bool {
        let id = self.git_dir.file_name().and_then(|id| id.to_str());
        let number = id.and_then(|id| id.strip_prefix(directory.as_str()));
        number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    }

    /// Whether the files were checked out once. Agents start only after that, so before it nothing can be lost.
    pub(crate) fn is_checked_out(&self) -> Result<bool, GitError> {
        let marker = self.ready_marker();
        marker.try_exists().map_err(GitError::file("read", &marker))
    }

    /// On the disk before any agent starts: a machine that went down must not leave an agent's files without it, for then
    /// they would be written over.
    pub(crate) fn set_checked_out(&self) -> Result<(), GitError> {
        let marker = self.ready_marker();
        let written = std::fs::File::create(&marker).and_then(|file| file.sync_all());
        written.map_err(GitError::file("written", &marker))
    }

    /// Before `HEAD` moves without the files: whoever finds the worktree like this checks it out first.
    pub(crate) fn clear_checked_out(&self) -> Result<(), GitError> {
        remove(&self.ready_marker())
    }

    /// Puts a worktree on a branch without touching its files.
    pub(crate) fn point_head_at(&self, branch: &BranchName) -> Result<(), GitError> {
        self.write_head(&format!("ref: {}\n", branch.to_ref()))
    }

    /// Puts a worktree on a commit without touching its files.
    pub(crate) fn detach_head(&self, commit: &ObjectId) -> Result<(), GitError> {
        self.write_head(&format!("{commit}\n"))
    }

    // By git's own protocol: whoever else writes `HEAD` now has its lock, and we fail.
    fn write_head(&self, content: &str) -> Result<(), GitError> {
        let (lock, path) = (self.git_dir.join("HEAD.lock"), self.git_dir.join("HEAD"));
        let written = std::fs::File::create_new(&lock)
            .and_then(|mut file| file.write_all(content.as_bytes()))
            .and_then(|()| std::fs::rename(&lock, &path));
        written.map_err(GitError::file("written", &path))
    }

    /// Says where the worktree is from now on.
    pub(crate) fn point_to(&self, directory: &Path) -> Result<(), GitError> {
        let mut content = directory.join(".git").into_os_string().into_encoded_bytes();
        content.push(b'\n');
        self.replace("gitdir", &content)
    }

    /// Writes one of the record's files so that either the old or the new content is there.
    fn replace(&self, name: &str, content: &[u8]) -> Result<(), GitError> {
        let (new, path) = (self.git_dir.join(format!("{name}.forge")), self.git_dir.join(name));
        let written = std::fs::write(&new, content).and_then(|()| std::fs::rename(&new, &path));
        written.map_err(GitError::file("written", &path))
    }

    /// Forgets everything that was done in the worktree: its index, a merge under way, locks, history.
    pub(crate) async fn strip(&self) -> Result<(), GitError> {
        let read = GitError::file("read", &self.git_dir);
        let entries = std::fs::read_dir(&self.git_dir).map_err(read)?;
        for entry in entries.flatten() {
            let kept =
                ["HEAD", "commondir", "gitdir"].iter().any(|name| entry.file_name() == *name);
            if !kept {
                delete(&entry.path()).await?;
            }
        }
        Ok(())
    }

    /// Forgets where the worktree was before.
    pub(crate) fn drop_history(&self) -> Result<(), GitError> {
        remove(&self.git_dir.join("logs").join("HEAD"))
    }

    /// Whether the worktree has settings of its own, which no other may inherit.
    pub(crate) fn has_settings(&self) -> bool {
        ["config.worktree", "info"]
            .iter()
            .any(|name| self.git_dir.join(name).symlink_metadata().is_ok())
    }

    /// Whose ignored files were left in the worktree on purpose.
    pub(crate) fn keeper(&self) -> Option<Keeper> {
        std::fs::read_to_string(self.git_dir.join(KEEPER)).ok().map(Keeper::new)
    }

    pub(crate) fn set_keeper(&self, keeper: &Keeper) -> Result<(), GitError> {
        self.replace(KEEPER, keeper.as_str().as_bytes())
    }

    fn ready_marker(&self) -> PathBuf {
        self.git_dir.join("forge-checked-out")
    }

    /// Forgets the worktree. Only this record: pruning would also forget a person's worktree on a disk not mounted now.
    pub(crate) async fn forget(self) -> Result<(), GitError> {
        delete(&self.git_dir).await
    }
}

/// Makes a directory of this name, or of the name and a number. Git, too, takes what it could make.
fn free_directory(common_dir: &Path, name: &str) -> std::io::Result<PathBuf> {
    let worktrees = make_inner_directory(common_dir, RECORDS)?;
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

fn remove(path: &Path) -> Result<(), GitError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(GitError::file("removed", path)(error))
        }
        _ => Ok(()),
    }
}
