use std::fs::File;
use std::io::{ErrorKind, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::command::git_error::GitError;
use crate::refs::object_id::ObjectId;
use crate::refs::ref_name::BranchName;
use crate::repo::repo_lock::{LockedRepo, RepoLocks};

const MOVES_EXTENSION: &str = "moves";

/// A move of a branch that its checkouts have to follow. The record lies beside the repository's lock from before the
/// move until every checkout has followed, so that after a crash Forge finishes the move instead of taking the
/// difference for a user's staged changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BranchMove {
    /// The repository's common git directory as bytes, because a path need not be UTF-8.
    common_dir: Vec<u8>,
    branch: String,
    old: String,
    new: String,
}

/// A branch whose checkouts may be behind because a move was interrupted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnfinishedMove {
    /// The repository's common git directory.
    pub common_dir: PathBuf,
    pub branch: String,
}

impl RepoLocks {
    /// The moves that an earlier process left unfinished, in all repositories.
    pub fn load_unfinished_moves(&self) -> Vec<UnfinishedMove> {
        let Ok(entries) = std::fs::read_dir(self.directory()) else { return Vec::new() };
        let files = entries.flatten().map(|entry| entry.path());
        let records =
            files.filter(|path| path.extension().is_some_and(|found| found == MOVES_EXTENSION));
        let moves = records.flat_map(|path| load_moves_file(&path).unwrap_or_default());
        let unfinished = moves.map(|found| UnfinishedMove {
            common_dir: std::ffi::OsString::from_vec(found.common_dir).into(),
            branch: found.branch,
        });
        unfinished.collect()
    }
}

impl LockedRepo {
    /// Records a move; replaces an earlier record for the same branch.
    pub(crate) fn record_move(
        &self,
        branch: &BranchName,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<(), GitError> {
        let mut moves = self.load_moves()?;
        moves.retain(|known| known.branch != branch.as_str());
        moves.push(BranchMove {
            common_dir: self.repo().common_dir().as_os_str().as_bytes().to_vec(),
            branch: branch.to_string(),
            old: old.to_string(),
            new: new.to_string(),
        });
        self.save_moves(&moves)
    }

    /// The recorded move of a branch: its old and its new commit.
    pub(crate) fn recorded_move(
        &self,
        branch: &BranchName,
    ) -> Result<Option<(ObjectId, ObjectId)>, GitError> {
        let moves = self.load_moves()?;
        let found = moves.into_iter().find(|known| known.branch == branch.as_str());
        let ids = found.and_then(|known| {
            Some((ObjectId::new(known.old).ok()?, ObjectId::new(known.new).ok()?))
        });
        Ok(ids)
    }

    /// Removes the record of a branch's move, because its checkouts have followed or the move never happened.
    pub(crate) fn forget_move(&self, branch: &BranchName) -> Result<(), GitError> {
        let mut moves = self.load_moves()?;
        let before = moves.len();
        moves.retain(|known| known.branch != branch.as_str());
        if moves.len() == before { Ok(()) } else { self.save_moves(&moves) }
    }

    fn load_moves(&self) -> Result<Vec<BranchMove>, GitError> {
        let path = self.moves_file();
        load_moves_file(&path).map_err(GitError::file("read", &path))
    }

    fn save_moves(&self, moves: &[BranchMove]) -> Result<(), GitError> {
        let path = self.moves_file();
        let saved =
            if moves.is_empty() { remove_moves_file(&path) } else { save_moves_file(&path, moves) };
        saved.map_err(GitError::file("written", &path))
    }

    fn moves_file(&self) -> PathBuf {
        self.lock_file().with_extension(MOVES_EXTENSION)
    }
}

/// A file that cannot be parsed counts as empty: it is always replaced atomically, so only a broken disk leaves one.
fn load_moves_file(path: &Path) -> std::io::Result<Vec<BranchMove>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).unwrap_or_default()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn save_moves_file(path: &Path, moves: &[BranchMove]) -> std::io::Result<()> {
    let draft = path.with_extension("moves-draft");
    let mut file = File::create(&draft)?;
    file.write_all(&serde_json::to_vec(moves)?)?;
    // The record must be on disk before the branch moves.
    file.sync_all()?;
    std::fs::rename(&draft, path)
}

fn remove_moves_file(path: &Path) -> std::io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
