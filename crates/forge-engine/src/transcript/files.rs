//! Which files make up a log.

use super::packed::{self, Packed, Unit};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The files of one execution's log.
#[derive(Debug, Clone)]
pub(crate) struct LogFiles {
    /// The output as it came. Nobody but the scribe reads it; it goes when the run is over.
    pub(crate) output: PathBuf,
    /// Events, one a line.
    pub(crate) events: PathBuf,
    /// The output without secrets.
    pub(crate) raw: PathBuf,
}

/// A part of a log that may have been compressed already.
#[derive(Debug)]
pub(super) enum Source {
    Plain(fs::File),
    Packed(Packed),
}

impl LogFiles {
    /// Beside the output.
    pub(crate) fn beside(output: PathBuf) -> Self {
        let (events, raw) = (output.with_extension("jsonl"), output.with_extension("raw"));
        Self { output, events, raw }
    }

    /// Compresses what is complete. Safe to begin again at any point: what is compressed stands under its name before
    /// anything is removed.
    pub(crate) fn pack(&self) -> io::Result<()> {
        for (plain, unit) in [(&self.events, Unit::Line), (&self.raw, Unit::Byte)] {
            match packed::pack(plain, &packed_name(plain), unit) {
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

    /// Whether nothing is left to be written.
    pub(crate) fn is_packed(&self) -> bool {
        !self.events.exists() && packed_name(&self.events).exists()
    }

    pub(super) fn open_events(&self) -> io::Result<Option<Source>> {
        open(&self.events)
    }

    /// The output of an execution from before there were events was never cleared of secrets, and is shown as it is.
    pub(super) fn open_raw(&self) -> io::Result<Option<Source>> {
        match open(&self.raw)? {
            Some(source) => Ok(Some(source)),
            None => Ok(plain(&self.output)?.map(Source::Plain)),
        }
    }
}

fn open(path: &Path) -> io::Result<Option<Source>> {
    // The compressed file is there before the plain one goes, so looking in this order finds one of them.
    if let Some(file) = plain(path)? {
        return Ok(Some(Source::Plain(file)));
    }
    Ok(plain(&packed_name(path))?.map(|file| Source::Packed(Packed::new(file))))
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
