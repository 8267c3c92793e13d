use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode, OFlags, openat, statat};

use crate::command::git_error::GitError;
use crate::command::run_in_place::run_in_place;
use crate::repo::repo_lock::LockedRepo;
use crate::repo::repository::Repo;
use crate::worktree::workspace_root::{DirectoryName, WorkspaceRoot};
use crate::worktree::worktree_record::{RECORDS_DIR, WorktreeRecord};

/// All records of a repository's linked worktrees, read at one moment.
#[derive(Debug, Clone)]
pub(crate) struct WorktreeRecords {
    /// The complete records.
    pub(crate) complete: Vec<WorktreeRecordEntry>,
    /// Records that a process is writing or was writing when it died, each with the worktree's directory.
    incomplete: Vec<(WorktreeRecord, PathBuf)>,
    /// Records that do not contain a path yet.
    without_path: Vec<WorktreeRecord>,
}

/// A complete record and its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WorktreeRecordEntry {
    pub(crate) record: WorktreeRecord,
    /// The worktree's directory.
    pub(crate) path: PathBuf,
    /// The content of its `HEAD`.
    pub(crate) head: Vec<u8>,
}

impl WorktreeRecordEntry {
    pub(crate) fn git_dir(&self) -> &Path {
        self.record.git_dir()
    }
}

impl LockedRepo {
    /// Reads the records, after it removed incomplete records of Forge's own worktrees: while one exists, git lists
    /// no worktree of the repository at all. No agent has used such a worktree, and the repository's lock proves that
    /// the git process that wrote the record is gone.
    pub(crate) async fn load_clean_records(
        &self,
        root: &WorkspaceRoot,
    ) -> Result<WorktreeRecords, GitError> {
        let mut records = WorktreeRecords::load(self.repo()).await?;
        records.drop_incomplete(root).await?;
        Ok(records)
    }
}

impl WorktreeRecords {
    /// Reads the current records, incomplete ones included.
    pub(crate) async fn load(repo: &Repo) -> Result<Self, GitError> {
        let place = repo.common_dir().join(RECORDS_DIR);
        let directory = place.clone();
        let taken = run_in_place(move || Self::read_directory(&directory)).await.flatten();
        taken.map_err(GitError::file("read", &place))
    }

    fn read_directory(place: &Path) -> io::Result<Self> {
        let mut survey =
            Self { complete: Vec::new(), incomplete: Vec::new(), without_path: Vec::new() };
        let directory = match File::open(place) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(survey),
            opened => opened?,
        };
        for entry in std::fs::read_dir(place)? {
            let id = PathBuf::from(entry?.file_name());
            let record = WorktreeRecord::from_git_dir(&place.join(&id));
            // There may be hundreds of worktrees: open files relative to this directory instead of resolving the full
            // path each time.
            let read = |name: &str| read_small_file(&directory, &id.join(name));
            let target = read("gitdir").and_then(|gitdir| record.parse_git_file_path(&gitdir));
            let Some(path) = target.as_deref().and_then(Path::parent).map(Path::to_owned) else {
                survey.without_path.push(record);
                continue;
            };
            let commondir = statat(&directory, id.join("commondir"), AtFlags::empty());
            let head = read("HEAD").filter(|head| !head.is_empty());
            match head.filter(|_| commondir.is_ok_and(|file| file.st_size > 0)) {
                Some(head) => survey.complete.push(WorktreeRecordEntry { record, path, head }),
                None => survey.incomplete.push((record, path)),
            }
        }
        Ok(survey)
    }

    /// The record that names `path` as its worktree.
    pub(crate) fn record_of(&self, path: &Path) -> Option<&WorktreeRecord> {
        let written = self.complete.iter().map(|listed| (&listed.record, &listed.path));
        let half_written = self.incomplete.iter().map(|(record, path)| (record, path));
        written.chain(half_written).find_map(|(record, at)| (at == path).then_some(record))
    }

    async fn drop_incomplete(&mut self, root: &WorkspaceRoot) -> Result<(), GitError> {
        let abandoned = |(record, path): &mut (WorktreeRecord, PathBuf)| {
            path.starts_with(root.path()) && record.is_initializing()
        };
        for (record, _) in self.incomplete.extract_if(.., abandoned) {
            tracing::info!(record = %record.git_dir().display(), "dropped incomplete worktree record");
            record.delete().await?;
        }
        Ok(())
    }

    /// Drops records without a path that a killed `git worktree add` left for this directory. Git derives the
    /// record's id from the directory's name, which only Forge uses.
    pub(crate) async fn drop_without_path(
        &mut self,
        _locked: &LockedRepo,
        name: &DirectoryName,
    ) -> Result<(), GitError> {
        for record in self.without_path.extract_if(.., |record| record.is_named_after(name)) {
            tracing::info!(record = %record.git_dir().display(), "dropped worktree record without a path");
            record.delete().await?;
        }
        Ok(())
    }
}

/// Reads a small file; `None` if it cannot be read.
fn read_small_file(directory: impl AsFd, path: &Path) -> Option<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let mut file = File::from(openat(directory, path, flags, Mode::empty()).ok()?);
    let mut start = [0; 512];
    let count = file.read(&mut start).ok()?;
    let mut content = start.get(..count)?.to_vec();
    // A read that returns less than requested has reached the end.
    if count == start.len() {
        file.read_to_end(&mut content).ok()?;
    }
    Some(content)
}
