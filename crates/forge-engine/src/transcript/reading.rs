//! Reading parts of a log, whether it still grows or not.

use super::LogFiles;
use super::files::Source;
use super::packed::Packed;
use crate::engine::Engine;
use crate::errors::EngineError;
use forge_domain::ExecutionId;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use tokio::sync::watch;

/// A page is no longer than this, however few events it has by then.
const LARGEST_PAGE: usize = 1 << 20;

/// Which events to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventPart {
    /// Those after this number.
    After(u64),
    /// The last so many.
    Last(u64),
}

/// Some events of a log, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventPage {
    /// Each as JSON.
    pub events: Vec<String>,
    /// The number of the last of them, or of the one to go on after if there are none.
    pub last: u64,
    /// More are there already.
    pub more: bool,
}

impl Engine {
    /// Some events of an execution's log; none if it has no log on this machine.
    pub async fn read_events(
        &self,
        execution: ExecutionId,
        part: EventPart,
        limit: usize,
    ) -> Result<EventPage, EngineError> {
        self.read_files(execution, move |files| match files.open_events()? {
            Some(source) => page(source, part, limit),
            None => Ok(EventPage::default()),
        })
        .await
    }

    /// Up to so many bytes of what an execution's program printed, secrets taken out.
    pub async fn read_output(
        &self,
        execution: ExecutionId,
        from: u64,
        most: u64,
    ) -> Result<Vec<u8>, EngineError> {
        self.read_files(execution, move |files| match files.open_raw()? {
            Some(Source::Plain(file)) => plain_bytes(file, from, most),
            Some(Source::Packed(packed)) => packed_bytes(packed, from, most),
            None => Ok(Vec::new()),
        })
        .await
    }

    /// How many bytes [`Engine::read_output`] has to give in all.
    pub async fn output_size(&self, execution: ExecutionId) -> u64 {
        let size = self.read_files(execution, |files| match files.open_raw()? {
            Some(Source::Plain(file)) => Ok(file.metadata()?.len()),
            Some(Source::Packed(mut packed)) => packed.total(),
            None => Ok(0),
        });
        size.await.unwrap_or(0)
    }

    /// Tells the number of the last event whenever there are more, as long as the execution runs here; closes when it
    /// is over.
    pub fn events_grow(&self, execution: ExecutionId) -> Option<watch::Receiver<u64>> {
        self.0.runs.written(execution.uuid())
    }

    async fn read_files<T: Send + 'static>(
        &self,
        execution: ExecutionId,
        read: impl FnOnce(&LogFiles) -> io::Result<T> + Send + 'static,
    ) -> Result<T, EngineError> {
        let files = self.0.home.log_files(execution.uuid());
        let result = tokio::task::spawn_blocking(move || read(&files)).await;
        result
            .map_err(io::Error::other)
            .flatten()
            .map_err(|error| EngineError::Corrupt(format!("the log of {execution}: {error}")))
    }
}

fn page(source: Source, part: EventPart, limit: usize) -> io::Result<EventPage> {
    match source {
        Source::Plain(mut file) => {
            let after = match part {
                EventPart::After(after) => after,
                EventPart::Last(wanted) => {
                    let total = count_lines(&mut file)?;
                    file.rewind()?;
                    total.saturating_sub(wanted)
                }
            };
            let mut page = Gathering::new(after, 0, limit);
            page.gather(BufReader::with_capacity(64 * 1024, file))?;
            Ok(page.page)
        }
        Source::Packed(mut packed) => {
            let after = match part {
                EventPart::After(after) => after,
                EventPart::Last(wanted) => {
                    let total = packed.total()?;
                    packed.rewind()?;
                    total.saturating_sub(wanted)
                }
            };
            let mut passed = 0;
            let mut page = Gathering::new(after, 0, limit);
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

/// Events are numbered from 1 without gaps, one a line, so lines are counted instead of read.
struct Gathering {
    after: u64,
    passed: u64,
    limit: usize,
    bytes: usize,
    page: EventPage,
}

impl Gathering {
    fn new(after: u64, passed: u64, limit: usize) -> Self {
        let page = EventPage { last: after, ..EventPage::default() };
        Self { after, passed, limit, bytes: 0, page }
    }

    /// Takes lines until the page is full: false then. A last line without its end is still being written.
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

fn packed_bytes(mut packed: Packed, from: u64, most: u64) -> io::Result<Vec<u8>> {
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
