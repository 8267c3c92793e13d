use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::output::output_relay::SpoolLayout;

/// The kernel does not report growing files without a watch, and its watches are too few (128 per user) for that many
/// programs. A silent program is polled less and less often.
const SHORTEST_PAUSE: Duration = Duration::from_millis(40);
const LONGEST_PAUSE: Duration = Duration::from_millis(320);
/// Removal of unread output is rare: the reader checks for it once in this many reads.
const READS_PER_SEARCH: u32 = 8;

/// Reads the files of a relay in order.
#[derive(Debug)]
pub(crate) struct SpoolReader {
    directory: PathBuf,
    /// Position of the next byte in the output.
    position: u64,
    file: Option<File>,
    /// Start positions of the files that were read and still exist; the last one is being read.
    starts: VecDeque<u64>,
    tail: u64,
    skipped: u64,
    pause: Duration,
    reads: u32,
}

impl SpoolReader {
    /// Reads from this byte of the output on.
    pub(crate) fn open(directory: &Path, layout: SpoolLayout, position: u64) -> Self {
        Self {
            directory: directory.to_owned(),
            position,
            file: None,
            starts: VecDeque::new(),
            tail: layout.tail as u64,
            skipped: 0,
            pause: SHORTEST_PAUSE,
            reads: 0,
        }
    }

    /// How many bytes the relay removed before they were read, since the last call.
    pub(crate) fn take_skipped(&mut self) -> u64 {
        std::mem::take(&mut self.skipped)
    }

    /// Reads the next bytes; 0 when there are none now, or when some had to be skipped.
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
            let searches = is_last_look || self.reads.is_multiple_of(READS_PER_SEARCH);
            self.reads = self.reads.wrapping_add(1);
            if searches && self.find_segment()? {
                continue;
            }
            return Ok(0);
        }
    }

    /// How long to wait after a read that found nothing.
    pub(crate) fn next_poll_delay(&mut self) -> Duration {
        let pause = self.pause;
        self.pause = (pause * 2).min(LONGEST_PAUSE);
        pause
    }

    /// Opens the file that begins with the next byte, once the file before it is complete.
    fn open_next(&mut self) -> io::Result<bool> {
        if self.starts.back() == Some(&self.position) {
            return Ok(false);
        }
        let Some(file) = self.open_at(self.position)? else {
            return Ok(false);
        };
        self.starts.push_back(self.position);
        // Files that hold the tail stay: after a restart the server reads it from them.
        while let Some(second) = self.starts.get(1).copied()
            && self.position - second >= self.tail
            && let Some(first) = self.starts.pop_front()
        {
            // The relay may have removed it already.
            fs::remove_file(self.path(first)).ok();
        }
        self.file = Some(file);
        Ok(true)
    }

    /// Opens another file that holds the next byte. The relay removes output that is not read in time; then the
    /// oldest file that is left comes next, and the output before it is skipped.
    fn find_segment(&mut self) -> io::Result<bool> {
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
            // The listing is not atomic: it can hold a later file and lack an earlier one, and since there is a later
            // file, the last read file may have grown.
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
