use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::files;
use crate::files::CheckoutPriority;
use crate::pool::pooled_worktree::{PooledWorktree, ReadyMarker};
use crate::pool::worktree_pool::{WorktreePool, pooled_name};
use crate::refs::object_id::ObjectId;
use crate::worktree::workspace_lock::LOCK_FILE;
use crate::worktree::workspace_root::DirectoryName;
use crate::worktree::worktree_record::{WorktreeHead, WorktreeRecord};

const CHECKOUT_DEADLINE: Duration = Duration::from_secs(1800);

/// The right to make and change what waits in a pool, until dropped: one at a time, among processes too. A git that
/// outlives us keeps it until it has ended. Giving a worktree away does not wait for it.
#[derive(Debug)]
pub struct PoolLock {
    pool: WorktreePool,
    file: File,
    boot: String,
}

/// What became of a pool's worktrees that were not ready.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PoolRepairOutcome {
    /// How many are ready again.
    pub repaired: usize,
    /// How many were removed from the pool.
    pub dropped: usize,
}

impl WorktreePool {
    /// Waits for the right to change the pool.
    pub async fn lock(&self) -> Result<PoolLock, GitError> {
        self.make_directory().await?;
        let path = self.lock_path();
        let target = path.clone();
        let locking = tokio::task::spawn_blocking(move || {
            let file =
                File::options().read(true).write(true).create(true).truncate(false).open(target)?;
            file.lock().map(|()| file)
        });
        let file = locking.await.map_err(std::io::Error::other).flatten();
        let file = file.map_err(GitError::file("locked", &path))?;
        Ok(PoolLock { pool: self.clone(), file, boot: current_boot_id() })
    }
}

impl PoolLock {
    pub(crate) fn pool(&self) -> &WorktreePool {
        &self.pool
    }

    /// A second handle of the lock, for a child.
    pub(crate) fn clone_lock_handle(&self) -> Result<File, GitError> {
        self.file.try_clone().map_err(GitError::file("shared", &self.pool.lock_path()))
    }

    /// Checks one more worktree out at a commit.
    pub async fn add(&self, commit: &ObjectId) -> Result<(), GitError> {
        let member = self.register(commit).await?;
        let kept = self.clone_lock_handle()?;
        match files::check_out_files(
            member.location(),
            commit.clone(),
            CheckoutPriority::Background,
            kept,
        )
        .await
        {
            Ok(()) => return self.mark_ready(&member, commit).await,
            Err(reason) => tracing::debug!(%reason, "git checks the files out"),
        }
        GitCommand::write_pooled(&member, self, "read-tree")?
            .args(["--reset", "-u"])
            .arg(commit.as_str())
            .deadline(CHECKOUT_DEADLINE)
            .run()
            .await?;
        member.record().set_checked_out()?;
        self.mark_ready(&member, commit).await
    }

    /// The record and the empty directory, under the repository's lock.
    async fn register(&self, commit: &ObjectId) -> Result<PooledWorktree, GitError> {
        let (repo, pool) = (self.pool.repo(), &self.pool);
        let locked = pool.locks().acquire(repo).await?;
        let mut records = locked.load_clean_records(pool.root()).await?;
        let known: Vec<PathBuf> =
            records.complete.iter().map(|listed| listed.path.clone()).collect();
        let number = pool.free_number(&known);
        if let Ok(name) = DirectoryName::new(pooled_name(number)) {
            records.drop_without_path(&locked, &name).await?;
        }
        let path = pool.directory_of(number);
        let head = WorktreeHead::Detached(commit.clone());
        let record = WorktreeRecord::create(&locked, &path, &pooled_name(number), &head).await?;
        Ok(PooledWorktree::new(pool, number, record))
    }

    async fn mark_ready(&self, member: &PooledWorktree, commit: &ObjectId) -> Result<(), GitError> {
        let bytes = disk_use(&member.path()).await?;
        member.set_ready(&ReadyMarker { commit: commit.clone(), bytes, boot: self.boot.clone() })
    }

    /// Looks at every worktree that is ready, file by file: one that is not what it should be is no longer ready.
    pub async fn inspect_ready(&self) -> Result<(), GitError> {
        for member in self.pool.load_worktrees().await? {
            let Some(ready) = member.ready() else { continue };
            if member.is_pristine(&ready.commit).await.unwrap_or(false) {
                if ready.boot != self.boot && self.withdraw(&member).await? {
                    member.set_ready(&ReadyMarker { boot: self.boot.clone(), ..ready })?;
                }
            } else {
                // One that was given away meanwhile is no longer there to be withdrawn.
                self.withdraw(&member).await?;
            }
        }
        Ok(())
    }

    /// Brings forward those that are ready and at another commit, one after the other: how many.
    pub async fn update_to(&self, commit: &ObjectId) -> Result<usize, GitError> {
        let mut followed = 0;
        for member in self.pool.load_worktrees().await? {
            let Some(ready) = member.ready().filter(|ready| ready.commit != *commit) else {
                continue;
            };
            if !self.withdraw(&member).await? {
                continue;
            }
            if self.update_checkout(&member, &ready.commit, commit).await? {
                member.record().detach_head(commit)?;
                self.mark_ready(&member, commit).await?;
                followed += 1;
            }
        }
        Ok(followed)
    }

    async fn update_checkout(
        &self,
        member: &PooledWorktree,
        from: &ObjectId,
        to: &ObjectId,
    ) -> Result<bool, GitError> {
        let (kept, priority) = (self.clone_lock_handle()?, CheckoutPriority::Background);
        let brought =
            files::update_checkout(member.location(), from.clone(), to.clone(), priority, kept)
                .await;
        let Err(reason) = brought else { return Ok(true) };
        tracing::debug!(%reason, "git brings the files forward");
        let moved = GitCommand::write_pooled(member, self, "read-tree")?
            .args(["-m", "-u", from.as_str(), to.as_str()])
            .deadline(CHECKOUT_DEADLINE)
            .output()
            .await?;
        Ok(moved.code() == Some(0))
    }

    /// Makes what is not ready so, whatever left it: a kill, or a task that is done with it. What cannot be made ready
    /// goes to the trash, as does what git has no record of.
    pub async fn repair(&self, commit: &ObjectId) -> Result<PoolRepairOutcome, GitError> {
        let mut tended = PoolRepairOutcome { repaired: 0, dropped: self.drop_unrecorded().await? };
        for member in self.pool.load_worktrees().await? {
            if member.ready().is_some() && member.path().is_dir() {
                continue;
            }
            if self.is_taken(&member).await? {
                continue;
            }
            match self.make_pristine(&member, commit).await {
                Ok(()) => tended.repaired += 1,
                Err(error) => {
                    tracing::info!(%error, path = %member.path().display(), "dropped a worktree of the pool");
                    self.drop_worktree(&member).await?;
                    tended.dropped += 1;
                }
            }
        }
        Ok(tended)
    }

    /// Under the repository's lock no other process adds or takes a worktree.
    pub(crate) async fn drop_unrecorded(&self) -> Result<usize, GitError> {
        let _locked = self.pool.locks().acquire(self.pool.repo()).await?;
        let members = self.pool.load_worktrees().await?;
        let mut dropped = 0;
        for number in self.pool.numbers() {
            if !members.iter().any(|member| member.number() == number) {
                self.pool.remove_ready_marker(number)?;
                self.pool.root().move_to_trash(&self.pool.directory_of(number))?;
                dropped += 1;
            }
        }
        for number in self.pool.marker_numbers() {
            if !members.iter().any(|member| member.number() == number) {
                self.pool.remove_ready_marker(number)?;
            }
        }
        Ok(dropped)
    }

    /// Throws away what is more than this.
    pub async fn shrink(&self, most: usize) -> Result<usize, GitError> {
        let mut dropped = 0;
        for member in self.pool.load_worktrees().await?.into_iter().skip(most) {
            if member.ready().is_some() && self.withdraw(&member).await? {
                self.drop_worktree(&member).await?;
                dropped += 1;
            }
        }
        Ok(dropped)
    }

    /// Takes a worktree so that no other process can; `false` if another process took it first.
    pub(crate) async fn withdraw(&self, member: &PooledWorktree) -> Result<bool, GitError> {
        let _locked = self.pool.locks().acquire(self.pool.repo()).await?;
        if WorktreeRecord::find(self.pool.repo(), &member.path()).await?.as_ref()
            != Some(member.record())
            || member.ready().is_none()
        {
            return Ok(false);
        }
        member.clear_ready()?;
        Ok(true)
    }

    /// Whether a worktree that is not ready left the pool while we looked at others.
    pub(crate) async fn is_taken(&self, member: &PooledWorktree) -> Result<bool, GitError> {
        let _locked = self.pool.locks().acquire(self.pool.repo()).await?;
        let found = WorktreeRecord::find(self.pool.repo(), &member.path()).await?;
        Ok(found.as_ref() != Some(member.record()))
    }

    /// Trusts nothing that was left behind, least of all the index: builds it anew and compares every file.
    async fn make_pristine(
        &self,
        member: &PooledWorktree,
        commit: &ObjectId,
    ) -> Result<(), GitError> {
        let record = member.record();
        let owner = member.ignored_files_owner();
        record.clear_state().await?;
        if let Some(owner) = &owner {
            record.set_ignored_files_owner(owner)?;
        }
        record.detach_head(commit)?;
        let git = |subcommand| GitCommand::write_pooled(member, self, subcommand);
        git("read-tree")?.arg(commit.as_str()).run().await?;
        let clean = || Ok::<_, GitError>(git("clean")?.args(["-f", "-f", "-d", "--quiet"]));
        if owner.is_some() {
            crate::worktree::workspace_root::delete_tree(&member.path().join(LOCK_FILE)).await?;
            clean()?.run().await?;
        } else {
            clean()?.arg("-x").run().await?;
        }
        let refresh = git("update-index")?.args(["-q", "--refresh"]).output().await?;
        if !matches!(refresh.code(), Some(0 | 1)) {
            return Err(refresh.into_error());
        }
        git("read-tree")?
            .args(["--reset", "-u"])
            .arg(commit.as_str())
            .deadline(CHECKOUT_DEADLINE)
            .run()
            .await?;
        if owner.is_some() {
            // What only the task's own rules ignored is untracked now.
            clean()?.run().await?;
        }
        record.set_checked_out()?;
        if !member.is_pristine(commit).await? {
            return Err(GitError::unexpected("status", b"it is not clean after cleaning"));
        }
        self.mark_ready(member, commit).await
    }

    pub(crate) async fn drop_worktree(&self, member: &PooledWorktree) -> Result<(), GitError> {
        let _locked = self.pool.locks().acquire(self.pool.repo()).await?;
        member.clear_ready()?;
        self.pool.root().move_to_trash(&member.path())?;
        member.record().clone().delete().await
    }
}

pub(crate) fn current_boot_id() -> String {
    forge_proc::ProcessIdentity::of_self().map_or_else(String::new, |process| process.boot_id)
}

/// What a directory takes on the disk.
async fn disk_use(path: &Path) -> Result<u64, GitError> {
    let place = path.to_owned();
    let walking = tokio::task::spawn_blocking(move || sum_disk_blocks(&place));
    let walked = walking.await.map_err(std::io::Error::other).flatten();
    walked.map_err(GitError::file("read", path))
}

fn sum_disk_blocks(directory: &Path) -> std::io::Result<u64> {
    const BLOCK: u64 = 512;
    let (mut bytes, mut open) = (0, vec![directory.to_owned()]);
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory)? {
            let entry = entry?;
            let found = entry.metadata()?;
            bytes += found.blocks() * BLOCK;
            if found.is_dir() {
                open.push(entry.path());
            }
        }
    }
    Ok(bytes)
}
