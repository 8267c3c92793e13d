use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::checkout::checkout_list::Checkout;
use crate::checkout::fast_forward::FastForwardError;
use crate::checkout::locked_checkout::{MAX_ATTEMPTS, acquire_index_lock};
use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::index::private_index::PrivateIndex;
use crate::index::stale_index::{RawChange, parse_raw_changes};
use crate::refs::object_id::ObjectId;
use crate::refs::ref_name::BranchName;
use crate::repo::repo_lock::LockedRepo;

/// How a checkout is brought to where its branch went.
struct CheckoutUpdate {
    index: PrivateIndex,
    /// The trees between which git writes the files; none if the files are there already.
    trees: Option<(ObjectId, ObjectId)>,
}

impl LockedRepo {
    /// Brings every checkout of a branch to where an interrupted move took it. `also` is a move that the caller knows of. What
    /// was never moved, or is finished already, is left alone. A file that a person changed meanwhile stays as it is and
    /// shows as an unstaged difference; the index always follows, so no commit takes back what landed.
    pub async fn finish_checkouts(
        &self,
        branch: &BranchName,
        also: Option<(&ObjectId, &ObjectId)>,
    ) -> Result<(), FastForwardError> {
        let recorded = self.recorded_move(branch)?;
        let also = also.map(|(old, new)| (old.clone(), new.clone()));
        let also = also.filter(|also| Some(also) != recorded.as_ref());
        if recorded.is_none() && also.is_none() {
            return Ok(());
        }
        let Some(tip) = self.repo().tip(branch).await? else { return Ok(()) };
        for (old, new) in also.iter().chain(&recorded) {
            if !self.repo().is_ancestor(new, &tip).await? {
                continue;
            }
            for checkout in self.repo().checkouts_of(branch).await? {
                checkout.finish_move(self, old, new, &tip).await?;
            }
        }
        Ok(self.forget_move(branch)?)
    }

    /// Checks the index of every checkout of a branch against the branch. One that lacks only what Forge itself landed is
    /// brought forward where no person's change can be meant; any other difference of that kind is an error. Returns how
    /// many were brought forward.
    pub async fn check_indexes(&self, branch: &BranchName) -> Result<usize, FastForwardError> {
        let mut finished = 0;
        for checkout in self.repo().checkouts_of(branch).await? {
            finished += usize::from(self.check_index(branch, &checkout).await?);
        }
        Ok(finished)
    }

    /// Checks one of them; whether it was brought forward.
    pub(crate) async fn check_index(
        &self,
        branch: &BranchName,
        checkout: &Checkout,
    ) -> Result<bool, FastForwardError> {
        let Some(tip) = self.repo().tip(branch).await? else { return Ok(false) };
        let Some(stale) = checkout.find_stale_index(branch, &tip).await? else { return Ok(false) };
        let path = checkout.path().to_owned();
        let is_left_by_switch = checkout.is_index_older_than_head();
        let has_files = || checkout.index_if_files_are_at(&stale.commit, &tip);
        if stale.moved_by_forge && (is_left_by_switch || has_files().await?.is_some()) {
            checkout.finish_move(self, &stale.commit, &tip, &tip).await?;
            tracing::info!(checkout = %path.display(), %branch, "brought a stale index to its branch");
            return Ok(true);
        }
        let files = stale.files.iter().map(|file| file.to_string_lossy().into_owned());
        let (branch, files) = (branch.clone(), files.collect());
        Err(FastForwardError::Stale { path, branch, files })
    }
}

impl Checkout {
    /// Brings index and files from `old` to `new`, whichever part of that was done before. Only files that differ between the
    /// two are looked at.
    async fn finish_move(
        &self,
        locked: &LockedRepo,
        old: &ObjectId,
        new: &ObjectId,
        tip: &ObjectId,
    ) -> Result<(), FastForwardError> {
        let file = self.index_lock();
        for _ in 0..MAX_ATTEMPTS {
            let Some(finish) = self.plan_update(old, new, tip).await? else { return Ok(()) };
            let Some(lock) = acquire_index_lock(&file)? else { continue };
            if !finish.index.matches_index_of(self.git_dir()) {
                continue;
            }
            let own = self.git_dir().join("index");
            let command = match &finish.trees {
                Some((from, to)) => Some(
                    GitCommand::fast_forward(self, locked, "read-tree")?
                        .with_index(finish.index.path())
                        .args(["-m", "-u", from.as_str(), to.as_str()]),
                ),
                None => None,
            };
            let finishing = tokio::spawn(async move {
                if let Some(command) = command {
                    command.run().await?;
                }
                lock.replace(finish.index.path(), &own).map_err(GitError::file("replaced", &own))
            });
            let ended = finishing.await;
            let lost = |error: tokio::task::JoinError| {
                GitError::unexpected("read-tree", error.to_string().as_bytes())
            };
            return Ok(ended.map_err(lost)??);
        }
        Err(FastForwardError::Busy { path: self.path().to_owned(), lock: file })
    }

    /// Nothing if the index has it already.
    async fn plan_update(
        &self,
        old: &ObjectId,
        new: &ObjectId,
        tip: &ObjectId,
    ) -> Result<Option<CheckoutUpdate>, FastForwardError> {
        let index = PrivateIndex::copy_of(self.git_dir()).await?;
        let behind = self.files_behind(&index, old, new, tip).await?;
        if behind.is_empty() {
            return Ok(None);
        }
        drop(index);
        if let Ok(index) = self.check_on_index_copy(old, new).await {
            return Ok(Some(CheckoutUpdate { index, trees: Some((old.clone(), new.clone())) }));
        }
        if let Some(index) = self.index_if_files_are_at(old, new).await? {
            return Ok(Some(CheckoutUpdate { index, trees: None }));
        }
        self.plan_update_by_file(&behind).await.map(Some)
    }

    /// The files of a move that the index still has as they were before it, although the branch has them otherwise.
    async fn files_behind(
        &self,
        index: &PrivateIndex,
        old: &ObjectId,
        new: &ObjectId,
        tip: &ObjectId,
    ) -> Result<BTreeMap<OsString, RawChange>, GitError> {
        let listed = GitCommand::read_checkout(self, "diff-tree")
            .args(["-r", "--raw", "-z", "--no-renames", "--no-abbrev"])
            .args(["--ignore-submodules=none", old.as_str(), new.as_str()])
            .run()
            .await?;
        let moved = self.changed_since(index, old, true).await?;
        let missing = self.changed_since(index, tip, true).await?;
        let changes = parse_raw_changes(&listed).into_iter().flat_map(|(_, changes)| changes);
        let behind =
            changes.filter(|one| missing.contains(&one.file) && !moved.contains(&one.file));
        Ok(behind.map(|change| (change.file.clone(), change)).collect())
    }

    /// Some files are where the branch went, some are not, or a person changed one: the index goes forward for all of them,
    /// and git writes those without local changes.
    async fn plan_update_by_file(
        &self,
        behind: &BTreeMap<OsString, RawChange>,
    ) -> Result<CheckoutUpdate, FastForwardError> {
        let index = PrivateIndex::copy_of(self.git_dir()).await?;
        self.refresh(&index).await?;
        let not_old = self.files_differing_from(&index).await?;
        let ahead = PrivateIndex::copy_of(self.git_dir()).await?;
        self.set_entries(&ahead, behind.values()).await?;
        self.refresh(&ahead).await?;
        let not_new = self.files_differing_from(&ahead).await?;
        let mut writable = BTreeSet::new();
        for (file, change) in behind.iter().filter(|(file, _)| not_new.contains(*file)) {
            let is_new_file = is_absent_mode(&change.old.0);
            let stands = std::fs::symlink_metadata(self.path().join(file)).is_ok();
            let is_old = if is_new_file { !stands } else { stands && !not_old.contains(file) };
            if is_old || !stands || self.is_half_written(file, &change.new.1).await? {
                writable.insert(file.clone());
            }
        }
        let kept = behind.values().filter(|change| !writable.contains(&change.file));
        self.set_entries(&index, kept).await?;
        if writable.is_empty() {
            return Ok(CheckoutUpdate { index, trees: None });
        }
        for file in &writable {
            // What a killed git left half written is in git's way; what stands whole is git's to replace.
            let change = behind.get(file);
            if let Some(change) = change
                && self.is_half_written(file, &change.new.1).await?
            {
                remove_if_present(&self.path().join(file))?;
            }
        }
        self.refresh(&index).await?;
        let from = self.write_tree(&index).await?;
        let to = self.write_tree(&ahead).await?;
        Ok(CheckoutUpdate { index, trees: Some((from, to)) })
    }

    async fn set_entries(
        &self,
        index: &PrivateIndex,
        changes: impl Iterator<Item = &RawChange>,
    ) -> Result<(), GitError> {
        let mut input = Vec::new();
        for change in changes {
            let (mode, object) = &change.new;
            let mode = if is_absent_mode(mode) { "0" } else { mode };
            input.extend_from_slice(format!("{mode} {object}\t").as_bytes());
            input.extend_from_slice(change.file.as_bytes());
            input.push(0);
        }
        let set = GitCommand::read_checkout(self, "update-index")
            .with_index(index.path())
            .args(["-z", "--index-info"])
            .input(input);
        set.run().await.map(drop)
    }

    async fn refresh(&self, index: &PrivateIndex) -> Result<(), GitError> {
        let refreshed = GitCommand::read_checkout(self, "update-index")
            .with_index(index.path())
            .args(["-q", "--refresh"])
            .output()
            .await?;
        match refreshed.code() {
            Some(0 | 1) => Ok(()),
            _ => Err(refreshed.into_error()),
        }
    }

    async fn write_tree(&self, index: &PrivateIndex) -> Result<ObjectId, GitError> {
        GitCommand::write_objects(self.repo(), "write-tree")
            .with_index(index.path())
            .output_object_id()
            .await
    }

    /// Whether a file holds no more than the beginning of what git was writing into it.
    async fn is_half_written(&self, file: &OsString, object: &str) -> Result<bool, GitError> {
        let path = self.path().join(file);
        let Ok(found) = std::fs::symlink_metadata(&path) else { return Ok(false) };
        if !found.is_file() || object.bytes().all(|byte| byte == b'0') {
            return Ok(false);
        }
        let written = std::fs::read(&path).map_err(GitError::file("read", &path))?;
        let whole =
            GitCommand::read(self.repo(), "cat-file").args(["blob", object]).output().await?;
        let whole = whole.stdout();
        Ok(written.len() < whole.len() && whole.starts_with(&written))
    }
}

/// The mode of a file that is not there.
fn is_absent_mode(mode: &str) -> bool {
    mode.bytes().all(|byte| byte == b'0')
}

fn remove_if_present(path: &Path) -> Result<(), GitError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(GitError::file("removed", path)(error))
        }
        _ => Ok(()),
    }
}
