//! Redacts the output of checks and setups as it is written.

use forge_agent::SecretRedactor;
use forge_proc::run_on_log_worker;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use tokio::sync::watch;
use tokio::task::JoinHandle;

const CHUNK: usize = 64 * 1024;

/// Copies the redacted output of one command into a log.
#[derive(Debug)]
pub(crate) struct RedactingLog {
    output: PathBuf,
    reading: Option<File>,
    log: File,
    redactor: SecretRedactor,
}

/// A redacting log in its own task.
#[derive(Debug)]
pub(crate) struct RedactingTask(JoinHandle<io::Result<()>>);

impl RedactingLog {
    /// Opens the log for one command; deletes the partial output of a dead server.
    pub(crate) fn open(log: &Path, redactor: SecretRedactor) -> io::Result<Self> {
        let output = log.with_extension("part");
        match std::fs::remove_file(&output) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let log = OpenOptions::new().create(true).append(true).open(log)?;
        Ok(Self { output, reading: None, log, redactor })
    }

    /// The file for the command's unredacted output.
    pub(crate) fn output(&self) -> &Path {
        &self.output
    }

    /// Copies until the output stops growing.
    pub(crate) fn follow(self, mut grows: watch::Receiver<u64>) -> RedactingTask {
        RedactingTask(tokio::spawn(async move {
            let mut redacting_log = self;
            loop {
                let caught_up = run_on_log_worker(move || {
                    redacting_log.process_output()?;
                    Ok::<_, io::Error>(redacting_log)
                });
                redacting_log = caught_up.await??;
                if grows.changed().await.is_err() {
                    break;
                }
            }
            run_on_log_worker(move || redacting_log.finish()).await?
        }))
    }

    fn process_output(&mut self) -> io::Result<()> {
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
        self.process_output()?;
        let mut rest = Vec::new();
        self.redactor.finish(&mut rest);
        self.log.write_all(&rest)?;
        match std::fs::remove_file(&self.output) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

impl RedactingTask {
    /// Waits until the log contains everything.
    pub(crate) async fn finish(self) -> io::Result<()> {
        self.0.await.map_err(io::Error::other)?
    }
}
