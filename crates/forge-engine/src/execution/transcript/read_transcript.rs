//! Reads parts of a transcript, whether complete or still growing.

use crate::command::errors::EngineError;
use crate::effects::process_registry::ProcessRegistry;
use crate::execution::transcript::LogFiles;
use crate::execution::transcript::log_files::LogSource;
use crate::execution::transcript::packed_log::PackedLog;
use crate::nodes::data_directory::DataDirectory;
use forge_domain::ExecutionId;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;
use tokio::sync::watch;

/// Largest size of a page, however few events it holds.
const LARGEST_PAGE: usize = 1 << 20;

/// Which events to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TranscriptRange {
    /// The events after this number.
    After(u64),
    /// This many events from the end.
    Last(u64),
}

/// A page of log events, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TranscriptPage {
    /// Each event as JSON.
    pub events: Vec<String>,
    /// The number of the last event, or the position to continue after.
    pub last: u64,
    /// Whether more events exist already.
    pub more: bool,
}

/// The transcripts of executions on this machine.
#[derive(Debug, Clone)]
pub struct Transcripts {
    pub(crate) home: Arc<DataDirectory>,
    pub(crate) processes: ProcessRegistry,
}

impl Transcripts {
    /// Reads log events of an execution; empty if there is no log on this machine.
    pub async fn read_events(
        &self,
        execution: ExecutionId,
        part: TranscriptRange,
        limit: usize,
    ) -> Result<TranscriptPage, EngineError> {
        self.read_files(execution, move |files| match files.open_events()? {
            Some(source) => page(source, part, limit),
            None => Ok(TranscriptPage::default()),
        })
        .await
    }

    /// Reads up to `most` bytes of an execution's redacted output.
    pub async fn read_output(
        &self,
        execution: ExecutionId,
        from: u64,
        most: u64,
    ) -> Result<Vec<u8>, EngineError> {
        self.read_files(execution, move |files| match files.open_raw()? {
            Some(LogSource::Plain(file)) => plain_bytes(file, from, most),
            Some(LogSource::Packed(packed)) => packed_bytes(packed, from, most),
            None => Ok(Vec::new()),
        })
        .await
    }

    /// The total number of bytes for [`Engine::read_output`].
    pub async fn output_size(&self, execution: ExecutionId) -> u64 {
        let size = self.read_files(execution, |files| match files.open_raw()? {
            Some(LogSource::Plain(file)) => Ok(file.metadata()?.len()),
            Some(LogSource::Packed(mut packed)) => packed.total(),
            None => Ok(0),
        });
        size.await.unwrap_or(0)
    }

    /// Publishes the number of the last event while the execution runs here; closes at its end.
    pub fn subscribe_log_events(&self, execution: ExecutionId) -> Option<watch::Receiver<u64>> {
        self.processes.subscribe_events(execution.uuid())
    }

    async fn read_files<T: Send + 'static>(
        &self,
        execution: ExecutionId,
        read: impl FnOnce(&LogFiles) -> io::Result<T> + Send + 'static,
    ) -> Result<T, EngineError> {
        let files = self.home.log_files(execution.uuid());
        let result = tokio::task::spawn_blocking(move || read(&files)).await;
        result
            .map_err(io::Error::other)
            .flatten()
            .map_err(|error| EngineError::Corrupt(format!("the log of {execution}: {error}")))
    }
}

fn page(source: LogSource, part: TranscriptRange, limit: usize) -> io::Result<TranscriptPage> {
    match source {
        LogSource::Plain(mut file) => {
            let after = match part {
                TranscriptRange::After(after) => after,
                TranscriptRange::Last(wanted) => {
                    let total = count_lines(&mut file)?;
                    file.rewind()?;
                    total.saturating_sub(wanted)
                }
            };
            let mut page = TranscriptPageBuilder::new(after, 0, limit);
            page.gather(BufReader::with_capacity(64 * 1024, file))?;
            Ok(page.page)
        }
        LogSource::Packed(mut packed) => {
            let after = match part {
                TranscriptRange::After(after) => after,
                TranscriptRange::Last(wanted) => {
                    let total = packed.total()?;
                    packed.rewind()?;
                    total.saturating_sub(wanted)
                }
            };
            let mut passed = 0;
            let mut page = TranscriptPageBuilder::new(after, 0, limit);
            while let Some(frame) = packed.next()? {
                if passed + frame.count <= after {
                    packed.skip(&frame)?;
                } else {
                    page.passed = passed;
                    let bytes = packed.read(&frame)?;
                    if !page.gather(bytes.as_slice())? {
                        break;
                    }
                }
                passed += frame.count;
            }
            Ok(page.page)
        }
    }
}

/// Collects a page. Events are numbered from 1 without gaps, one per line, so lines are counted instead of parsed.
struct TranscriptPageBuilder {
    after: u64,
    passed: u64,
    limit: usize,
    bytes: usize,
    page: TranscriptPage,
}

impl TranscriptPageBuilder {
    fn new(after: u64, passed: u64, limit: usize) -> Self {
        let page = TranscriptPage { last: after, ..TranscriptPage::default() };
        Self { after, passed, limit, bytes: 0, page }
    }

    /// Adds lines until the page is full; returns false then. An incomplete last line is still being written.
    fn gather(&mut self, mut lines: impl BufRead) -> io::Result<bool> {
        let mut line = Vec::new();
        loop {
            line.clear();
            lines.read_until(b'\n', &mut line)?;
            if line.pop() != Some(b'\n') {
                return Ok(true);
            }
            self.passed += 1;
            if self.passed <= self.after {
                continue;
            }
            let full = self.page.events.len() >= self.limit || self.bytes >= LARGEST_PAGE;
            if full {
                self.page.more = true;
                return Ok(false);
            }
            self.bytes += line.len();
            self.page.last = self.passed;
            self.page.events.push(String::from_utf8_lossy(&line).into_owned());
        }
    }
}

fn count_lines(file: &mut File) -> io::Result<u64> {
    let mut buffer = vec![0; 64 * 1024];
    let mut lines = 0;
    loop {
        let count = file.read(&mut buffer)?;
        let Some(read) = buffer.get(..count).filter(|read| !read.is_empty()) else {
            return Ok(lines);
        };
        lines += read.iter().filter(|byte| **byte == b'\n').count() as u64;
    }
}

fn plain_bytes(mut file: File, from: u64, most: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(from.min(i64::MAX as u64)))?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn packed_bytes(mut packed: PackedLog, from: u64, most: u64) -> io::Result<Vec<u8>> {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let (mut passed, mut bytes) = (0_u64, Vec::new());
    while let Some(frame) = packed.next()? {
        if passed + frame.count <= from {
            packed.skip(&frame)?;
        } else {
            let part = packed.read(&frame)?;
            let begin = usize::try_from(from.saturating_sub(passed)).unwrap_or(usize::MAX);
            bytes.extend_from_slice(part.get(begin..).unwrap_or_default());
        }
        if bytes.len() >= most {
            bytes.truncate(most);
            break;
        }
        passed += frame.count;
    }
    Ok(bytes)
}
