//! The owner of a data directory, as its lock file records it.

use forge_proc::ProcessIdentity;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek};

/// The process named in a lock file.
#[derive(Debug)]
pub(crate) struct DataDirectoryOwner(Option<ProcessIdentity>);

impl DataDirectoryOwner {
    /// The current process.
    pub(crate) fn of_self() -> Self {
        Self(ProcessIdentity::of_self())
    }

    /// Reads a lock file; an incomplete one names no process.
    pub(crate) fn load(file: &mut File) -> io::Result<Self> {
        let mut text = String::new();
        file.rewind()?;
        file.read_to_string(&mut text)?;
        let mut words = text.split_whitespace();
        let mut next = || words.next();
        let identity = match (next(), next(), next()) {
            (Some(pid), Some(start), Some(boot)) => match (pid.parse(), start.parse()) {
                (Ok(pid), Ok(start_ticks)) => {
                    Some(ProcessIdentity { pid, start_ticks, boot_id: boot.to_owned() })
                }
                _ => None,
            },
            _ => None,
        };
        Ok(Self(identity))
    }

    /// Whether exactly that process is alive.
    pub(crate) fn is_alive(&self) -> bool {
        self.0.as_ref().is_some_and(ProcessIdentity::is_alive)
    }
}

impl fmt::Display for DataDirectoryOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(identity) if f.alternate() => write!(f, "{}", identity.pid),
            Some(identity) => {
                write!(f, "{} {} {}", identity.pid, identity.start_ticks, identity.boot_id)
            }
            None => f.write_str("unknown"),
        }
    }
}
