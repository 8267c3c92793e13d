//! Writes the log of a run while it goes on: what its program prints, secrets taken out, and as events.

use super::LogFiles;
use forge_agent::{Adapter, Event, Parser, Redactor, Source, TurnSummary};
use forge_domain::{Ending, Timestamp};
use forge_proc::at_a_desk;
use std::fs::File;
use std::io::{self, Read, Write};
use tokio::sync::watch;
use tokio::task::JoinHandle;

const CHUNK: usize = 64 * 1024;
/// How much one of them writes before it lets another: as much as a run prints in a while.
const AT_ONCE: usize = 1 << 20;

/// Turns the output as it came into the two files that people read. The same output always gives the same files, so
/// whoever finds them half written begins again.
#[derive(Debug)]
pub(crate) struct Scribe {
    files: LogFiles,
    /// None until the program has printed something.
    output: Option<File>,
    parser: Parser<'static>,
    redactor: Redactor,
    pages: Pages,
}

/// What is written. A full disk must not end the run: the first failure is kept and nothing more is written.
#[derive(Debug)]
struct Pages {
    events: File,
    raw: File,
    /// Events of the part that is being read.
    unwritten: Vec<u8>,
    last: u64,
    failure: Option<io::Error>,
}

/// A scribe at work.
#[derive(Debug)]
pub(crate) struct Writing(JoinHandle<Result<Scribe, io::Error>>);

impl Scribe {
    /// Begins the files anew.
    pub(crate) fn open(
        files: LogFiles,
        adapter: &'static Adapter,
        redactor: Redactor,
    ) -> io::Result<Self> {
        let pages = Pages {
            events: File::create(&files.events)?,
            raw: File::create(&files.raw)?,
            unwritten: Vec::new(),
            last: 0,
            failure: None,
        };
        Ok(Self { files, output: None, parser: Parser::new(adapter), redactor, pages })
    }

    /// Writes along as the output grows, and tells the number of the last event.
    pub(crate) fn follow(
        self,
        mut grows: watch::Receiver<u64>,
        written: watch::Sender<u64>,
    ) -> Writing {
        Writing(tokio::spawn(async move {
            let mut scribe = self;
            loop {
                // What grows from here on is seen by the next look.
                grows.borrow_and_update();
                let (back, caught_up) = at_a_desk(move || {
                    let caught_up = scribe.catch_up();
                    (scribe, caught_up)
                })
                .await?;
                scribe = back;
                written.send_replace(scribe.pages.last);
                if caught_up && grows.changed().await.is_err() {
                    return Ok(scribe);
                }
            }
        }))
    }

    /// Takes the rest, and says how the turn went. Without `pack` the files stay as they are.
    pub(crate) async fn finish(self, ending: Ending, now: Timestamp) -> io::Result<TurnSummary> {
        at_a_desk(move || self.conclude(ending, now)).await
    }

    fn conclude(mut self, ending: Ending, now: Timestamp) -> TurnSummary {
        while !self.catch_up() {}
        let Self { mut parser, redactor, mut pages, .. } = self;
        let mut rest = Vec::new();
        redactor.finish(&mut rest);
        pages.raw(&rest);
        parser.feed(Source::Stdout, &rest, &mut |event| pages.event(&event));
        let summary = parser.finish(ending, now, &mut |event| pages.event(&event));
        pages.write_events();
        if let Some(error) = &pages.failure {
            tracing::error!(%error, "the log of a run could not be written to its end");
        }
        summary
    }

    /// Reads what is there, up to a bound: false if it was reached.
    fn catch_up(&mut self) -> bool {
        let (mut chunk, mut clear) = (vec![0; CHUNK], Vec::new());
        let mut caught_up = false;
        for _ in 0..AT_ONCE / CHUNK {
            let read = match self.read(&mut chunk) {
                Ok(read) => read,
                Err(error) => {
                    self.pages.failure.get_or_insert(error);
                    0
                }
            };
            let Some(bytes) = chunk.get(..read).filter(|bytes| !bytes.is_empty()) else {
                caught_up = true;
                break;
            };
            clear.clear();
            self.redactor.push(bytes, &mut clear);
            self.pages.raw(&clear);
            let pages = &mut self.pages;
            self.parser.feed(Source::Stdout, &clear, &mut |event| pages.event(&event));
            self.pages.write_events();
        }
        // Hundreds of runs may wait for their next words.
        self.pages.unwritten = Vec::new();
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

impl Writing {
    /// Waits until the output grows no more, and gives the scribe back.
    pub(crate) async fn done(self) -> io::Result<Scribe> {
        self.0.await.map_err(io::Error::other)?
    }
}

impl Pages {
    fn event(&mut self, event: &Event) {
        self.last = event.seq;
        self.try_to(|pages| {
            serde_json::to_writer(&mut pages.unwritten, event)?;
            pages.unwritten.push(b'\n');
            Ok(())
        });
    }

    fn write_events(&mut self) {
        self.try_to(|pages| pages.events.write_all(&pages.unwritten));
        self.unwritten.clear();
    }

    fn raw(&mut self, bytes: &[u8]) {
        self.try_to(|pages| pages.raw.write_all(bytes));
    }

    fn try_to(&mut self, write: impl FnOnce(&mut Self) -> io::Result<()>) {
        if self.failure.is_none()
            && let Err(error) = write(self)
        {
            self.failure = Some(error);
        }
    }
}
