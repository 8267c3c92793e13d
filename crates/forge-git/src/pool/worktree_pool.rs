use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::fs::spread::spread_out;
use crate::pool::ignored_files_owner::IgnoredFilesOwner;
use crate::pool::pooled_worktree::{PooledWorktree, ReadyMarker};
use crate::refs::object_id::ObjectId;
use crate::repo::repo_lock::RepoLocks;
use crate::repo::repository::Repo;
use crate::worktree::workspace_root::{WorkspaceRoot, create_private_directory};
use crate::worktree::worktree_records::WorktreeRecords;

const READY_EXTENSION: &str = "ready";
// Git names its record after the directory.
const NAME_PREFIX: &str = "pool-";

/// The worktrees of one repository that are checked out before a task needs them (W-15). They lie in a directory of
/// the workspace root that only we may enter: `.pool/<repository>/pool-<number>`, each with a sign beside it that says it
/// is ready. Taking that sign away, under the repository's lock, is what takes a worktree out of the pool.
#[derive(Debug, Clone)]
pub struct WorktreePool {
    repo: Repo,
    root: WorkspaceRoot,
    locks: RepoLocks,
    key: String,
    ignored_files_owners: Vec<IgnoredFilesOwner>,
}

/// A worktree that can be given away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadyWorktree {
    /// The commit whose files it has.
    pub commit: ObjectId,
    /// What it takes on the disk.
    pub bytes: u64,
}

impl WorktreePool {
    /// The pool of a repository. Nothing is made yet.
    pub fn open(repo: &Repo, root: &WorkspaceRoot, locks: &RepoLocks) -> Result<Self, GitError> {
        let common = repo.common_dir();
        let found = std::fs::metadata(common).map_err(GitError::file("read", common))?;
        let key = format!("{:x}-{:x}", found.dev(), found.ino());
        let (repo, root, locks) = (repo.clone(), root.clone(), locks.clone());
        Ok(Self { repo, root, locks, key, ignored_files_owners: Vec::new() })
    }

    /// The same pool for these, whose ignored files may stay in it. Without any, no ignored file does.
    #[must_use]
    pub fn for_ignored_files_owners(self, keepers: Vec<IgnoredFilesOwner>) -> Self {
        Self { ignored_files_owners: keepers, ..self }
    }

    pub(crate) fn ignored_files_owners(&self) -> &[IgnoredFilesOwner] {
        &self.ignored_files_owners
    }

    /// Those that can be given away now.
    pub fn ready(&self) -> Vec<ReadyWorktree> {
        let mut found = Vec::new();
        for number in self.marker_numbers() {
            if let Some(ReadyMarker { commit, bytes, .. }) =
                ReadyMarker::load(&self.ready_marker_path(number))
            {
                found.push(ReadyWorktree { commit, bytes });
            }
        }
        found
    }

    /// How many worktrees there are, ready or being made so.
    pub fn len(&self) -> usize {
        self.numbers().len()
    }

    /// Whether there is none at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What a worktree of a commit is going to take on the disk, about.
    pub async fn estimate(&self, commit: &ObjectId) -> Result<u64, GitError> {
        const BLOCK: u64 = 4096;
        let sizes = GitCommand::read(&self.repo, "ls-tree")
            .args(["-r", "--format=%(objectsize)", "--end-of-options"])
            .arg(commit.as_str())
            .run()
            .await?;
        let sizes = String::from_utf8_lossy(&sizes);
        let sizes = sizes.lines().filter_map(|size| size.trim().parse::<u64>().ok());
        Ok(sizes.map(|size| size.div_ceil(BLOCK) * BLOCK).sum())
    }

    pub(crate) fn repo(&self) -> &Repo {
        &self.repo
    }

    pub(crate) fn root(&self) -> &WorkspaceRoot {
        &self.root
    }

    pub(crate) fn locks(&self) -> &RepoLocks {
        &self.locks
    }

    pub(crate) fn directory(&self) -> PathBuf {
        self.root.pool_directory().join(&self.key)
    }

    /// Makes the directory unless it is there.
    pub(crate) async fn make_directory(&self) -> Result<(), GitError> {
        let directory = self.directory();
        create_private_directory(&directory)?;
        spread_out(&directory);
        Ok(())
    }

    pub(crate) fn lock_path(&self) -> PathBuf {
        self.root.pool_directory().join(format!("{}.lock", self.key))
    }

    /// The pool's directory as seen from the workspace root.
    pub(crate) fn relative_directory(&self) -> PathBuf {
        self.directory().strip_prefix(self.root.path()).map(Path::to_owned).unwrap_or_default()
    }

    pub(crate) fn directory_of(&self, number: u32) -> PathBuf {
        self.directory().join(pooled_name(number))
    }

    pub(crate) fn ready_marker_path(&self, number: u32) -> PathBuf {
        self.directory().join(format!("{}.{READY_EXTENSION}", pooled_name(number)))
    }

    /// Takes a sign away; nothing being there is fine.
    pub(crate) fn remove_ready_marker(&self, number: u32) -> Result<(), GitError> {
        let path = self.ready_marker_path(number);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(GitError::file("removed", &path)(error))
            }
            _ => Ok(()),
        }
    }

    /// Which worktree of the pool a path is.
    pub(crate) fn number_of(&self, path: &Path) -> Option<u32> {
        parse_number(path.strip_prefix(self.directory()).ok()?.to_str()?)
    }

    /// The numbers that have a directory.
    pub(crate) fn numbers(&self) -> Vec<u32> {
        self.numbers_by_name(parse_number)
    }

    /// The numbers that have a sign.
    pub(crate) fn marker_numbers(&self) -> Vec<u32> {
        self.numbers_by_name(|name| {
            parse_number(name.strip_suffix(READY_EXTENSION)?.strip_suffix('.')?)
        })
    }

    fn numbers_by_name(&self, number: impl Fn(&str) -> Option<u32>) -> Vec<u32> {
        let Ok(entries) = std::fs::read_dir(self.directory()) else { return Vec::new() };
        let mut found: Vec<u32> =
            entries.flatten().filter_map(|entry| number(entry.file_name().to_str()?)).collect();
        found.sort_unstable();
        found
    }

    /// A number that neither a directory nor a record has.
    pub(crate) fn free_number(&self, records: &[PathBuf]) -> u32 {
        let known = records.iter().filter_map(|path| self.number_of(path));
        let highest = known.chain(self.numbers()).max();
        highest.map_or(0, |number| number.saturating_add(1))
    }

    /// Every worktree of the pool that git has a record of.
    pub(crate) async fn load_worktrees(&self) -> Result<Vec<PooledWorktree>, GitError> {
        let mut members: Vec<PooledWorktree> = WorktreeRecords::load(&self.repo)
            .await?
            .complete
            .into_iter()
            .filter_map(|listed| {
                Some(PooledWorktree::new(self, self.number_of(&listed.path)?, listed.record))
            })
            .collect();
        members.sort_by_key(PooledWorktree::number);
        Ok(members)
    }
}

impl WorkspaceRoot {
    /// What all pools together take on the disk.
    pub async fn load_pool_bytes(&self) -> Result<u64, GitError> {
        let place = self.pool_directory();
        let path = place.clone();
        let reading = tokio::task::spawn_blocking(move || sum_ready_bytes(&path));
        match reading.await.map_err(std::io::Error::other).flatten() {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(0),
            summed => summed.map_err(GitError::file("read", &place)),
        }
    }
}

/// What a worktree of the pool is called.
pub(crate) fn pooled_name(number: u32) -> String {
    format!("{NAME_PREFIX}{number}")
}

fn parse_number(name: &str) -> Option<u32> {
    name.strip_prefix(NAME_PREFIX)?.parse().ok()
}

fn sum_ready_bytes(place: &Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    for pool in std::fs::read_dir(place)? {
        let Ok(entries) = std::fs::read_dir(pool?.path()) else { continue };
        let signs = entries.flatten().filter_map(|entry| ReadyMarker::load(&entry.path()));
        bytes += signs.map(|ready| ready.bytes).sum::<u64>();
    }
    Ok(bytes)
}
