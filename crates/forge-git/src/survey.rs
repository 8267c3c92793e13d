use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode, OFlags, openat, statat};

use crate::error::GitError;
use crate::lock::LockedRepo;
use crate::record::{RECORDS, Record};
use crate::repo::Repo;
use crate::root::{DirectoryName, WorkspaceRoot};
use crate::short_work::short_work;

/// All records of a repository's linked worktrees, as one look at them found them.
#[derive(Debug, Clone)]
pub(crate) struct Survey {
    /// Those that are complete.
    pub(crate) written: Vec<Listed>,
    /// Those whose writing is under way, or was cut off, each with the worktree's directory.
    half_written: Vec<(Record, PathBuf)>,
    /// Those that do not say yet where their worktree is.
    nowhere: Vec<Record>,
}

/// A record with what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) record: Record,
    /// The worktree's directory.
    pub(crate) path: PathBuf,
    /// The content of its `HEAD`.
    pub(crate) head: Vec<u8>,
}

impl Listed {
    pub(crate) fn git_dir(&self) -> &Path {
        self.record.git_dir()
    }
}

impl LockedRepo {
    /// The records there are, after those of our worktrees are gone that git was killed at before it had written them:
    /// while one is there, git lists no worktree of the repository at all. Nobody was in such a worktree yet, and the
    /// repository's lock proves that the git which began it is gone.
    pub(crate) async fn survey(&self, root: &WorkspaceRoot) -> Result<Survey, GitError> {
        let mut records = Survey::of(self.repo()).await?;
        records.drop_half_written(root).await?;
        Ok(records)
    }
}

impl Survey {
    /// As they are, also those that are being written.
    pub(crate) async fn of(repo: &Repo) -> Result<Self, GitError> {
        let place = repo.common_dir().join(RECORDS);
        let directory = place.clone();
        let taken = short_work(move || Self::take(&directory)).await.flatten();
        taken.map_err(GitError::file("read", &place))
    }

    fn take(place: &Path) -> io::Result<Self> {
        let mut survey =
            Self { written: Vec::new(), half_written: Vec::new(), nowhere: Vec::new() };
        let directory = match File::open(place) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(survey),
            opened => opened?,
        };
        for entry in std::fs::read_dir(place)? {
            let id = PathBuf::from(entry?.file_name());
            let record = Record::at(&place.join(&id));
            // Hundreds of worktrees may be there: names are looked up from here, not from the top of the disk.
            let read = |name: &str| read_below(&directory, &id.join(name));
            let target = read("gitdir").and_then(|gitdir| record.target_in(&gitdir));
            let Some(path) = target.as_deref().and_then(Path::parent).map(Path::to_owned) else {
                survey.nowhere.push(record);
                continue;
            };
            let commondir = statat(&directory, id.join("commondir"), AtFlags::empty());
            let head = read("HEAD").filter(|head| !head.is_empty());
            match head.filter(|_| commondir.is_ok_and(|file| file.st_size > 0)) {
                Some(head) => survey.written.push(Listed { record, path, head }),
                None => survey.half_written.push((record, path)),
            }
        }
        Ok(survey)
    }

    /// The record that names `path` as its worktree.
    pub(crate) fn record_of(&self, path: &Path) -> Option<&Record> {
        let written = self.written.iter().map(|listed| (&listed.record, &listed.path));
        let half_written = self.half_written.iter().map(|(record, path)| (record, path));
        written.chain(half_written).find_map(|(record, at)| (at == path).then_some(record))
    }

    async fn drop_half_written(&mut self, root: &WorkspaceRoot) -> Result<(), GitError> {
        let abandoned = |(record, path): &mut (Record, PathBuf)| {
            path.starts_with(root.path()) && record.is_initializing()
        };
        for (record, _) in self.half_written.extract_if(.., abandoned) {
            tracing::info!(record = %record.git_dir().display(), "dropped a half-written worktree record");
            record.forget().await?;
        }
        Ok(())
    }

    /// Drops what a killed `git worktree add` left for this directory: records that name no worktree yet. Git makes the
    /// record's id from the directory's name, which is ours alone.
    pub(crate) async fn drop_unfinished(
        &mut self,
        _locked: &LockedRepo,
        name: &DirectoryName,
    ) -> Result<(), GitError> {
        for record in self.nowhere.extract_if(.., |record| record.is_named_after(name)) {
            tracing::info!(record = %record.git_dir().display(), "dropped a half-made worktree record");
            record.forget().await?;
        }
        Ok(())
    }
}

/// The content of a small file; `None` where it cannot be read.
fn read_below(directory: impl AsFd, path: &Path) -> Option<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let mut file = File::from(openat(directory, path, flags, Mode::empty()).ok()?);
    let mut start = [0; 512];
    let count = file.read(&mut start).ok()?;
    let mut content = start.get(..count)?.to_vec();
    // Less than was asked for is all of it.
    if count == start.len() {
        file.read_to_end(&mut content).ok()?;
    }
    Some(content)
}
