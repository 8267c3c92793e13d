use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::command::Command;
use crate::error::GitError;
use crate::keeper::Keeper;
use crate::lock::RepoLocks;
use crate::member::{Member, Ready};
use crate::object_id::ObjectId;
use crate::repo::Repo;
use crate::root::{WorkspaceRoot, make_private};
use crate::spread::spread_out;
use crate::survey::Survey;

const SIGN: &str = "ready";
// Git names its record after the directory.
const NAME: &str = "pool-";

/// The worktrees of one repository that are checked out before anybody needs them (W-15). They lie in a directory of
/// the workspace root that only we may enter: `.pool/<repository>/pool-<number>`, each with a sign beside it that says it
/// is ready. Taking that sign away, under the repository's lock, is what takes a worktree out of the pool.
#[derive(Debug, Clone)]
pub struct Pool {
    repo: Repo,
    root: WorkspaceRoot,
    locks: RepoLocks,
    key: String,
    keepers: Vec<Keeper>,
}

/// A worktree that can be given away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadyMember {
    /// The commit whose files it has.
    pub commit: ObjectId,
    /// What it takes on the disk.
    pub bytes: u64,
}

impl Pool {
    /// The pool of a repository. Nothing is made yet.
    pub fn open(repo: &Repo, root: &WorkspaceRoot, locks: &RepoLocks) -> Result<Self, GitError> {
        let common = repo.common_dir();
        let found = std::fs::metadata(common).map_err(GitError::file("read", common))?;
        let key = format!("{:x}-{:x}", found.dev(), found.ino());
        let (repo, root, locks) = (repo.clone(), root.clone(), locks.clone());
        Ok(Self { repo, root, locks, key, keepers: Vec::new() })
    }

    /// The same pool for these, whose ignored files may stay in it. Without any, no ignored file does.
    #[must_use]
    pub fn for_keepers(self, keepers: Vec<Keeper>) -> Self {
        Self { keepers, ..self }
    }

    pub(crate) fn keepers(&self) -> &[Keeper] {
        &self.keepers
    }

    /// Those that can be given away now.
    pub fn ready(&self) -> Vec<ReadyMember> {
        let mut found = Vec::new();
        for number in self.signs() {
            if let Some(Ready { commit, bytes, .. }) = Ready::load(&self.sign_of(number)) {
                found.push(ReadyMember { commit, bytes });
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
        let sizes = Command::read(&self.repo, "ls-tree")
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
        self.root.pool().join(&self.key)
    }

    /// Makes the directory unless it is there.
    pub(crate) async fn make_directory(&self) -> Result<(), GitError> {
        let directory = self.directory();
        make_private(&directory)?;
        spread_out(&directory);
        Ok(())
    }

    pub(crate) fn lock_path(&self) -> PathBuf {
        self.root.pool().join(format!("{}.lock", self.key))
    }

    /// The pool's directory as seen from the workspace root.
    pub(crate) fn relative(&self) -> PathBuf {
        self.directory().strip_prefix(self.root.path()).map(Path::to_owned).unwrap_or_default()
    }

    pub(crate) fn directory_of(&self, number: u32) -> PathBuf {
        self.directory().join(name_of(number))
    }

    pub(crate) fn sign_of(&self, number: u32) -> PathBuf {
        self.directory().join(format!("{}.{SIGN}", name_of(number)))
    }

    /// Takes a sign away; nothing being there is fine.
    pub(crate) fn clear_sign(&self, number: u32) -> Result<(), GitError> {
        let path = self.sign_of(number);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(GitError::file("removed", &path)(error))
            }
            _ => Ok(()),
        }
    }

    /// Which worktree of the pool a path is.
    pub(crate) fn number_of(&self, path: &Path) -> Option<u32> {
        number_in(path.strip_prefix(self.directory()).ok()?.to_str()?)
    }

    /// The numbers that have a directory.
    pub(crate) fn numbers(&self) -> Vec<u32> {
        self.names(number_in)
    }

    /// The numbers that have a sign.
    pub(crate) fn signs(&self) -> Vec<u32> {
        self.names(|name| number_in(name.strip_suffix(SIGN)?.strip_suffix('.')?))
    }

    fn names(&self, number: impl Fn(&str) -> Option<u32>) -> Vec<u32> {
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
    pub(crate) async fn members(&self) -> Result<Vec<Member>, GitError> {
        let mut members: Vec<Member> = Survey::of(&self.repo)
            .await?
            .written
            .into_iter()
            .filter_map(|listed| {
                Some(Member::new(self, self.number_of(&listed.path)?, listed.record))
            })
            .collect();
        members.sort_by_key(Member::number);
        Ok(members)
    }
}

impl WorkspaceRoot {
    /// What all pools together take on the disk.
    pub async fn load_pool_bytes(&self) -> Result<u64, GitError> {
        let place = self.pool();
        let path = place.clone();
        let reading = tokio::task::spawn_blocking(move || sum(&path));
        match reading.await.map_err(std::io::Error::other).flatten() {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(0),
            summed => summed.map_err(GitError::file("read", &place)),
        }
    }
}

/// What a worktree of the pool is called.
pub(crate) fn name_of(number: u32) -> String {
    format!("{NAME}{number}")
}

fn number_in(name: &str) -> Option<u32> {
    name.strip_prefix(NAME)?.parse().ok()
}

fn sum(place: &Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    for pool in std::fs::read_dir(place)? {
        let Ok(entries) = std::fs::read_dir(pool?.path()) else { continue };
        let signs = entries.flatten().filter_map(|entry| Ready::load(&entry.path()));
        bytes += signs.map(|ready| ready.bytes).sum::<u64>();
    }
    Ok(bytes)
}
