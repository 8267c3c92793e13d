//! Writes the transcript of a running execution: redacted output and log events.

use crate::execution::transcript::LogFiles;
use forge_agent::{
    AgentAdapter, ExecutionSummary, SecretRedactor, StreamParser, StreamSource, TranscriptEvent,
};
use forge_domain::{ExecutionEnding, Timestamp};
use forge_proc::run_on_log_worker;
use std::fs::File;
use std::io::{self, Read, Write};
use tokio::sync::watch;
use tokio::task::JoinHandle;

const CHUNK: usize = 64 * 1024;
/// How much one writer processes before others get their turn.
const AT_ONCE: usize = 1 << 20;

/// Converts the unredacted output into the redacted output and the log events. The same output always gives the same
/// files, so a partial transcript is simply rewritten.
#[derive(Debug)]
pub(crate) struct TranscriptWriter {
    files: LogFiles,
    /// `None` until the program has printed something.
    output: Option<File>,
    parser: StreamParser<'static>,
    redactor: SecretRedactor,
    output_files: TranscriptOutput,
}

/// The transcript files. A full disk must not end the execution: the first error is kept, and nothing more is written.
#[derive(Debug)]
struct TranscriptOutput {
    events: File,
    raw: File,
    /// Events of the current chunk.
    unwritten: Vec<u8>,
    last: u64,
    first_error: Option<io::Error>,
}

/// A transcript writer in its own task.
#[derive(Debug)]
pub(crate) struct TranscriptTask(JoinHandle<Result<TranscriptWriter, io::Error>>);

impl TranscriptWriter {
    /// Starts the files from the beginning.
    pub(crate) fn open(
        files: LogFiles,
        adapter: &'static AgentAdapter,
        redactor: SecretRedactor,
    ) -> io::Result<Self> {
        let pages = TranscriptOutput {
            events: File::create(&files.events)?,
            raw: File::create(&files.raw)?,
            unwritten: Vec::new(),
            last: 0,
            first_error: None,
        };
        Ok(Self {
            files,
            output: None,
            parser: StreamParser::new(adapter),
            redactor,
            output_files: pages,
        })
    }

    /// Writes as the output grows, and publishes the number of the last event.
    pub(crate) fn follow(
        self,
        mut grows: watch::Receiver<u64>,
        written: watch::Sender<u64>,
    ) -> TranscriptTask {
        TranscriptTask(tokio::spawn(async move {
            let mut writer = self;
            loop {
                // Output written from here on triggers the next iteration.
                grows.borrow_and_update();
                let (back, caught_up) = run_on_log_worker(move || {
                    let caught_up = writer.process_output();
                    (writer, caught_up)
                })
                .await?;
                writer = back;
                written.send_replace(writer.output_files.last);
                if caught_up && grows.changed().await.is_err() {
                    return Ok(writer);
                }
            }
        }))
    }

    /// Writes the rest and returns the summary. The files stay uncompressed until `pack`.
    pub(crate) async fn finish(
        self,
        ending: ExecutionEnding,
        now: Timestamp,
    ) -> io::Result<ExecutionSummary> {
        run_on_log_worker(move || self.write_rest(ending, now)).await
    }

    fn write_rest(mut self, ending: ExecutionEnding, now: Timestamp) -> ExecutionSummary {
        while !self.process_output() {}
        let Self { mut parser, redactor, output_files: mut pages, .. } = self;
        let mut rest = Vec::new();
        redactor.finish(&mut rest);
        pages.raw(&rest);
        parser.feed(StreamSource::Stdout, &rest, &mut |event| pages.event(&event));
        let summary = parser.finish(ending, now, &mut |event| pages.event(&event));
        pages.write_events();
        if let Some(error) = &pages.first_error {
            tracing::error!(%error, "could not write a transcript to its end");
        }
        summary
    }

    /// Reads up to a limit; returns false if the limit was reached.
    fn process_output(&mut self) -> bool {
        let (mut chunk, mut clear) = (vec![0; CHUNK], Vec::new());
        let mut caught_up = false;
        for _ in 0..AT_ONCE / CHUNK {
            let read = match self.read(&mut chunk) {
                Ok(read) => read,
                Err(error) => {
                    self.output_files.first_error.get_or_insert(error);
                    0
                }
            };
            let Some(bytes) = chunk.get(..read).filter(|bytes| !bytes.is_empty()) else {
                caught_up = true;
                break;
            };
            clear.clear();
            self.redactor.push(bytes, &mut clear);
            self.output_files.raw(&clear);
            let pages = &mut self.output_files;
            self.parser.feed(StreamSource::Stdout, &clear, &mut |event| pages.event(&event));
            self.output_files.write_events();
        }
        // Free the buffer: hundreds of executions may be idle.
        self.output_files.unwritten = Vec::new();
        caught_up
    }

    fn read(&mut self, chunk: &mut [u8]) -> io::Result<usize> {
        if self.output.is_none() {
            self.output = match File::open(&self.files.output) {
                Ok(file) => Some(file),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
                Err(error) => return Err(error),
            };
        }
        self.output.as_mut().map_or(Ok(0), |file| file.read(chunk))
    }
}

impl TranscriptTask {
    /// Waits until the output stops growing, and returns the writer.
    pub(crate) async fn finish(self) -> io::Result<TranscriptWriter> {
        self.0.await.map_err(io::Error::other)?
    }
}

impl TranscriptOutput {
    fn event(&mut self, event: &TranscriptEvent) {
        self.last = event.seq;
        self.write_unless_failed(|pages| {
            serde_json::to_writer(&mut pages.unwritten, event)?;
            pages.unwritten.push(b'\n');
            Ok(())
        });
    }

    fn write_events(&mut self) {
        self.write_unless_failed(|pages| pages.events.write_all(&pages.unwritten));
        self.unwritten.clear();
    }

    fn raw(&mut self, bytes: &[u8]) {
        self.write_unless_failed(|pages| pages.raw.write_all(bytes));
    }

    fn write_unless_failed(&mut self, write: impl FnOnce(&mut Self) -> io::Result<()>) {
        if self.first_error.is_none()
            && let Err(error) = write(self)
        {
            self.first_error = Some(error);
        }
    }
}
