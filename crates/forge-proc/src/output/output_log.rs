use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use tokio::sync::watch;

use crate::output::output_relay::SpoolLayout;
use crate::output::spool_reader::SpoolReader;

const CHUNK: usize = 64 * 1024;
/// Most bytes copied from one spool before the worker moves on to another program.
const COPY_LIMIT: usize = 1 << 20;

/// The log file of a supervised program: the start of the output up to a cap and, when there is more, a marker line
/// and the tail.
#[derive(Debug)]
pub(crate) struct OutputLog {
    file: File,
    size: u64,
    cap: u64,
    /// Whether the line about the cap is written.
    cap_noted: bool,
    dropped: u64,
    tail: TailBuffer,
    failure: Option<String>,
    size_sender: watch::Sender<u64>,
}

/// Result of one read of the spool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SpoolRead {
    /// Some output was read, and there may be more.
    More,
    Empty,
    /// The spool cannot be read any further.
    Failed,
}

/// Final figures of a log.
#[derive(Debug, Default)]
pub(crate) struct LogSummary {
    pub(crate) tail: String,
    pub(crate) bytes: u64,
    pub(crate) truncated: bool,
    pub(crate) failure: Option<String>,
}

impl OutputLog {
    /// Opens for appending: an existing log is never truncated.
    pub(crate) fn open(path: &Path, cap: u64, tail: usize) -> std::io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let size = file.metadata()?.len();
        Ok(Self {
            file,
            size,
            cap,
            cap_noted: false,
            dropped: 0,
            tail: TailBuffer::new(tail),
            failure: None,
            size_sender: watch::Sender::new(size),
        })
    }

    /// Opens the log that an earlier server began, and returns the output position to continue from.
    pub(crate) fn resume(path: &Path, layout: SpoolLayout) -> std::io::Result<(Self, u64)> {
        let mut log = Self::open(path, layout.cap, layout.tail)?;
        let written = log.size.saturating_sub(layout.base);
        log.cap_noted = written > layout.head();
        if !log.cap_noted {
            let mut file = File::open(path)?;
            let known = written.min(layout.tail as u64);
            file.seek(SeekFrom::Start(log.size - known))?;
            let mut end = Vec::new();
            file.take(known).read_to_end(&mut end)?;
            log.tail.push(&end);
        }
        Ok((log, written.min(layout.head())))
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// Sends the file size whenever it has grown, and closes when nothing more is written.
    pub(crate) fn watch_size(&self) -> watch::Receiver<u64> {
        self.size_sender.subscribe()
    }

    /// Copies output from the spool to the log, up to a bound.
    pub(crate) fn copy_from_spool(
        &mut self,
        spool: &mut SpoolReader,
        is_last_look: bool,
    ) -> SpoolRead {
        // Not kept between reads: hundreds of programs may be silent at a time.
        let mut buffer = vec![0; CHUNK];
        for _ in 0..COPY_LIMIT / CHUNK {
            let count = match spool.read(&mut buffer, is_last_look) {
                Ok(count) => count,
                Err(error) => {
                    tracing::error!(%error, "could not read spooled output");
                    return SpoolRead::Failed;
                }
            };
            let skipped = spool.take_skipped();
            match buffer.get(..count) {
                _ if skipped > 0 => self.skip(skipped),
                None | Some([]) => return SpoolRead::Empty,
                Some(chunk) => self.push(chunk),
            }
        }
        SpoolRead::More
    }

    pub(crate) fn push(&mut self, chunk: &[u8]) {
        self.tail.push(chunk);
        let room = usize::try_from(self.cap.saturating_sub(self.size)).unwrap_or(usize::MAX);
        let (kept, over) = chunk.split_at_checked(room).unwrap_or((chunk, &[]));
        self.write(kept);
        if !over.is_empty() {
            self.count_dropped(over.len() as u64);
        }
    }

    /// Counts output that the relay removed before it was read; only output after it can be the tail.
    fn skip(&mut self, bytes: u64) {
        self.tail.take();
        self.count_dropped(bytes);
    }

    fn count_dropped(&mut self, bytes: u64) {
        if !self.cap_noted {
            self.cap_noted = true;
            let line = format!(
                "\n[forge: the log's limit of {} bytes is reached; its end follows when the run is over]\n",
                self.cap
            );
            self.write(line.as_bytes());
        }
        self.dropped += bytes;
    }

    // A full disk must not stop the child: the first failure is kept and nothing more is written.
    fn write(&mut self, bytes: &[u8]) {
        if self.failure.is_some() || bytes.is_empty() {
            return;
        }
        match self.file.write_all(bytes) {
            Ok(()) => {
                self.size += bytes.len() as u64;
                self.size_sender.send_replace(self.size);
            }
            Err(error) => self.failure = Some(error.to_string()),
        }
    }

    pub(crate) fn finish(mut self) -> LogSummary {
        let tail = self.tail.take();
        let unwritten = usize::try_from(self.dropped).unwrap_or(usize::MAX).min(tail.len());
        let left_out = self.dropped - unwritten as u64;
        if left_out > 0 {
            let line = format!("[forge: {left_out} bytes are left out here]\n");
            self.write(line.as_bytes());
        }
        let end = tail.get(tail.len() - unwritten..).unwrap_or_default();
        self.write(end);
        LogSummary {
            tail: String::from_utf8_lossy(&tail).into_owned(),
            bytes: self.size,
            truncated: self.dropped > 0,
            failure: self.failure,
        }
    }
}

/// The last bytes of a stream, in at most twice their size of memory.
#[derive(Debug)]
struct TailBuffer {
    bytes: Vec<u8>,
    limit: usize,
}

impl TailBuffer {
    fn new(limit: usize) -> Self {
        Self { bytes: Vec::new(), limit }
    }

    fn push(&mut self, chunk: &[u8]) {
        let chunk = chunk.get(chunk.len().saturating_sub(self.limit)..).unwrap_or_default();
        if self.bytes.len() + chunk.len() > self.limit * 2 {
            self.shorten(self.limit.saturating_sub(chunk.len()));
        }
        self.bytes.extend_from_slice(chunk);
    }

    fn take(&mut self) -> Vec<u8> {
        self.shorten(self.limit);
        std::mem::take(&mut self.bytes)
    }

    fn shorten(&mut self, length: usize) {
        let over = self.bytes.len().saturating_sub(length);
        self.bytes.drain(..over);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn e_4_the_tail_is_the_last_bytes_whatever_the_chunks() {
        let stream: Vec<u8> = (0..=255).cycle().take(1000).collect();
        for limit in [0, 1, 7, 64, 999, 1000, 5000] {
            for size in [1, 3, 64, 333, 1000] {
                let mut tail = TailBuffer::new(limit);
                for chunk in stream.chunks(size) {
                    tail.push(chunk);
                    assert!(tail.bytes.len() <= limit * 2);
                }
                let expected = &stream[stream.len().saturating_sub(limit)..];
                assert_eq!(tail.take(), expected, "limit {limit}, chunks of {size}");
            }
        }
    }
}
