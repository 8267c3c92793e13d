use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::time::Duration;

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

    /// The next bytes; 0 when there are none now, or when some had to be skipped.
    pub(crate) fn read(&mut self, buffer: &mut [u8], is_last_look: bool) -> io::Result<usize> {
        loop {
            if let Some(file) = &mut self.file {
                let count = file.read(buffer)?;
                self.position += count as u64;
                if count > 0 {
                    self.pause = SHORTEST_PAUSE;
                    return Ok(count);
                }
            }
            if self.open_next()? {
                continue;
            }
            let searches = is_last_look || self.looks.is_multiple_of(LOOKS_PER_SEARCH);
            self.looks = self.looks.wrapping_add(1);
            if searches && self.find()? {
                continue;
            }
            return Ok(0);
        }
    }

    /// How long to wait after a look that found nothing.
    pub(crate) fn next_pause(&mut self) -> Duration {
        let pause = self.pause;
        self.pause = (pause * 2).min(LONGEST_PAUSE);
        pause
    }

    /// The file that begins with the next byte, once the one before it is complete.
    fn open_next(&mut self) -> io::Result<bool> {
        if self.starts.back() == Some(&self.position) {
            return Ok(false);
        }
        let Some(file) = self.open_at(self.position)? else {
            return Ok(false);
        };
        self.starts.push_back(self.position);
        // What holds the tail stays: after a restart it is found there.
        while let Some(second) = self.starts.get(1).copied()
            && self.position - second >= self.tail
            && let Some(first) = self.starts.pop_front()
        {
            // The relay may have been faster.
            fs::remove_file(self.path(first)).ok();
        }
        self.file = Some(file);
        Ok(true)
    }

    /// Another file that holds the next byte. The relay removes what nobody reads in time; then the oldest that is
    /// left comes next, and what was before it is skipped.
    fn find(&mut self) -> io::Result<bool> {
        let mut starts = Vec::new();
        for entry in fs::read_dir(&self.directory)? {
            starts.extend(entry?.file_name().to_str().and_then(|name| name.parse::<u64>().ok()));
        }
        let holding = starts.iter().copied().filter(|start| *start <= self.position).max();
        if let Some(start) =
            holding.filter(|start| self.starts.back().is_none_or(|last| start > last))
        {
            let within = self.position - start;
            if let Some(mut file) = self.open_at(start)?
                && file.metadata()?.len() >= within
            {
                file.seek(io::SeekFrom::Start(within))?;
                self.starts.push_back(start);
                self.file = Some(file);
                return Ok(true);
            }
        }
        if let Some(next) = starts.into_iter().filter(|start| *start > self.position).min() {
            // The list is not of one moment: it can hold a later file and lack an earlier one, and since there is a
            // later one, more may have come into the one that was read.
            if self.has_more()? || self.open_next()? {
                return Ok(true);
            }
            self.skipped = next - self.position;
            self.position = next;
        }
        Ok(false)
    }

    fn has_more(&self) -> io::Result<bool> {
        let (Some(file), Some(start)) = (&self.file, self.starts.back()) else {
            return Ok(false);
        };
        Ok(file.metadata()?.len() > self.position - start)
    }

    fn open_at(&self, start: u64) -> io::Result<Option<File>> {
        match File::open(self.path(start)) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn path(&self, start: u64) -> PathBuf {
        self.directory.join(start.to_string())
    }
}
