use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio_util::sync::CancellationToken;

use crate::relay::Layout;

/// The kernel wakes nobody when a file grows, and its watches are too few (128 per user) for as many runs as we have.
/// A run that says nothing is looked at ever less often.
const SHORTEST_PAUSE: Duration = Duration::from_millis(40);
const LONGEST_PAUSE: Duration = Duration::from_millis(320);
/// Output that was removed before we read it is rare: it is looked for once in so many looks.
const LOOKS_PER_SEARCH: u32 = 8;

/// What a relay wrote, read in order.
#[derive(Debug)]
pub(crate) struct Spool {
    directory: PathBuf,
    /// The place of the next byte in the output.
    position: u64,
    file: Option<File>,
    /// Where the files begin that were read and are still there; the last is under way.
    starts: VecDeque<u64>,
    tail: u64,
    skipped: u64,
    pause: Duration,
    looks: u32,
}

impl Spool {
    /// Reads from this byte of the output on.
    pub(crate) fn open(directory: &Path, layout: Layout, position: u64) -> Self {
        Self {
            directory: directory.to_owned(),
            position,
            file: None,
            starts: VecDeque::new(),
            tail: layout.tail as u64,
            skipped: 0,
            pause: SHORTEST_PAUSE,
            looks: 0,
        }
    }

    /// How many bytes were gone before we came to read them, since this was last asked.
    pub(crate) fn take_skipped(&mut self) -> u64 {
        std::mem::take(&mut self.skipped)
    }

    /// The next bytes; 0 at the end, or when some had to be skipped.
    pub(crate) async fn read(
        &mut self,
        buffer: &mut [u8],
        ended: &CancellationToken,
    ) -> io::Result<usize> {
        loop {
            // Asked before the look: what was written before the end is then seen by it.
            let is_last_look = ended.is_cancelled();
            if let Some(file) = &mut self.file {
                let count = file.read(buffer).await?;
                self.position += count as u64;
                if count > 0 {
                    self.pause = SHORTEST_PAUSE;
                    return Ok(count);
                }
            }
            if self.open_next().await? {
                continue;
            }
            let searches = is_last_look || self.looks.is_multiple_of(LOOKS_PER_SEARCH);
            self.looks = self.looks.wrapping_add(1);
            if searches && self.find().await? {
                continue;
            }
            if self.skipped > 0 {
                return Ok(0);
            }
            if is_last_look {
                return Ok(0);
            }
            tokio::time::timeout(self.pause, ended.cancelled()).await.ok();
            self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// The file that begins with the next byte, once the one before it is complete.
    async fn open_next(&mut self) -> io::Result<bool> {
        if self.starts.back() == Some(&self.position) {
            return Ok(false);
        }
        let Some(file) = self.open_at(self.position).await? else {
            return Ok(false);
        };
        self.starts.push_back(self.position);
        // What holds the tail stays: after a restart it is found there.
        while let Some(second) = self.starts.get(1).copied()
            && self.position - second >= self.tail
            && let Some(first) = self.starts.pop_front()
        {
            // The relay may have been faster.
            tokio::fs::remove_file(self.path(first)).await.ok();
        }
        self.file = Some(file);
        Ok(true)
    }

    /// Another file that holds the next byte. The relay removes what nobody reads in time; then the oldest that is
    /// left comes next, and what was before it is skipped.
    async fn find(&mut self) -> io::Result<bool> {
        let mut starts = Vec::new();
        let mut entries = tokio::fs::read_dir(&self.directory).await?;
        while let Some(entry) = entries.next_entry().await? {
            starts.extend(entry.file_name().to_str().and_then(|name| name.parse::<u64>().ok()));
        }
        let holding = starts.iter().copied().filter(|start| *start <= self.position).max();
        if let Some(start) =
            holding.filter(|start| self.starts.back().is_none_or(|last| start > last))
        {
            let within = self.position - start;
            if let Some(mut file) = self.open_at(start).await?
                && file.metadata().await?.len() >= within
            {
                file.seek(io::SeekFrom::Start(within)).await?;
                self.starts.push_back(start);
                self.file = Some(file);
                return Ok(true);
            }
        }
        if let Some(next) = starts.into_iter().filter(|start| *start > self.position).min() {
            // The list is not of one moment: it can hold a later file and lack an earlier one, and since there is a
            // later one, more may have come into the one that was read.
            if self.has_more().await? || self.open_next().await? {
                return Ok(true);
            }
            self.skipped = next - self.position;
            self.position = next;
        }
        Ok(false)
    }

    async fn has_more(&self) -> io::Result<bool> {
        let (Some(file), Some(start)) = (&self.file, self.starts.back()) else {
            return Ok(false);
        };
        Ok(file.metadata().await?.len() > self.position - start)
    }

    async fn open_at(&self, start: u64) -> io::Result<Option<File>> {
        match File::open(self.path(start)).await {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn path(&self, start: u64) -> PathBuf {
        self.directory.join(start.to_string())
    }
}
