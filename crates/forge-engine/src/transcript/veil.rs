//! What checks and setups print, secrets taken out, as it comes.

use forge_agent::Redactor;
use forge_proc::at_a_desk;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use tokio::sync::watch;
use tokio::task::JoinHandle;

const CHUNK: usize = 64 * 1024;

/// Between the output of one command and the log that people read.
#[derive(Debug)]
pub(crate) struct Veil {
    output: PathBuf,
    reading: Option<File>,
    log: File,
    redactor: Redactor,
}

/// A veil at work.
#[derive(Debug)]
pub(crate) struct Veiling(JoinHandle<io::Result<()>>);

impl Veil {
    /// Before a command of this log: what a dead server left of an earlier one is forgotten.
    pub(crate) fn over(log: &Path, redactor: Redactor) -> io::Result<Self> {
        let output = log.with_extension("part");
        match std::fs::remove_file(&output) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let log = OpenOptions::new().create(true).append(true).open(log)?;
        Ok(Self { output, reading: None, log, redactor })
    }

    /// Where the command's output goes as it is.
    pub(crate) fn output(&self) -> &Path {
        &self.output
    }

    /// Writes along until the output grows no more.
    pub(crate) fn follow(self, mut grows: watch::Receiver<u64>) -> Veiling {
        Veiling(tokio::spawn(async move {
            let mut veil = self;
            loop {
                let caught_up = at_a_desk(move || {
                    veil.catch_up()?;
                    Ok::<_, io::Error>(veil)
                });
                veil = caught_up.await??;
                if grows.changed().await.is_err() {
                    break;
                }
            }
            at_a_desk(move || veil.finish()).await?
        }))
    }

    fn catch_up(&mut self) -> io::Result<()> {
        if self.reading.is_none() {
            self.reading = match File::open(&self.output) {
                Ok(file) => Some(file),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
                Err(error) => return Err(error),
            };
        }
        let (mut chunk, mut clear) = (vec![0; CHUNK], Vec::new());
        while let Some(file) = &mut self.reading {
            let read = file.read(&mut chunk)?;
            let Some(bytes) = chunk.get(..read).filter(|bytes| !bytes.is_empty()) else { break };
            clear.clear();
            self.redactor.push(bytes, &mut clear);
            self.log.write_all(&clear)?;
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        self.catch_up()?;
        let mut rest = Vec::new();
        self.redactor.finish(&mut rest);
        self.log.write_all(&rest)?;
        match std::fs::remove_file(&self.output) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

impl Veiling {
    /// Waits until everything is in the log.
    pub(crate) async fn done(self) -> io::Result<()> {
        self.0.await.map_err(io::Error::other)?
    }
}
