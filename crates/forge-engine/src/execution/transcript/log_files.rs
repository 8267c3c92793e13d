//! The files of a log.

use crate::execution::transcript::packed_log;
use crate::execution::transcript::packed_log::{LogUnit, PackedLog};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The files of one execution's log.
#[derive(Debug, Clone)]
pub(crate) struct LogFiles {
    /// The unredacted output. Only the transcript writer reads it; it is deleted after the execution.
    pub(crate) output: PathBuf,
    /// Log events, one per line.
    pub(crate) events: PathBuf,
    /// The redacted output.
    pub(crate) raw: PathBuf,
}

/// A log file, plain or compressed.
#[derive(Debug)]
pub(crate) enum LogSource {
    Plain(fs::File),
    Packed(PackedLog),
}

impl LogFiles {
    /// The files beside the output.
    pub(crate) fn beside(output: PathBuf) -> Self {
        let (events, raw) = (output.with_extension("jsonl"), output.with_extension("raw"));
        Self { output, events, raw }
    }

    /// Compresses complete files. Safe to repeat at any point: the compressed file has its final name before the plain
    /// one is deleted.
    pub(crate) fn compress(&self) -> io::Result<()> {
        for (plain, unit) in [(&self.events, LogUnit::Line), (&self.raw, LogUnit::Byte)] {
            match packed_log::pack(plain, &packed_name(plain), unit) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                packed => {
                    packed?;
                    fs::remove_file(plain)?;
                }
            }
        }
        match fs::remove_file(&self.output) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Whether the log is complete and compressed.
    pub(crate) fn is_packed(&self) -> bool {
        !self.events.exists() && packed_name(&self.events).exists()
    }

    pub(crate) fn open_events(&self) -> io::Result<Option<LogSource>> {
        open(&self.events)
    }

    pub(crate) fn open_raw(&self) -> io::Result<Option<LogSource>> {
        open(&self.raw)
    }
}

fn open(path: &Path) -> io::Result<Option<LogSource>> {
    // The compressed file appears before the plain one is deleted, so this order finds one of them.
    if let Some(file) = plain(path)? {
        return Ok(Some(LogSource::Plain(file)));
    }
    Ok(plain(&packed_name(path))?.map(|file| LogSource::Packed(PackedLog::new(file))))
}

fn plain(path: &Path) -> io::Result<Option<fs::File>> {
    match fs::File::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn packed_name(plain: &Path) -> PathBuf {
    let mut name = plain.file_name().unwrap_or_default().to_owned();
    name.push(".zst");
    plain.with_file_name(name)
}
