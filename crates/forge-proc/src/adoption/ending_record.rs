use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::supervise::process_outcome::ProcessEnding;

const TIMED_OUT: &str = "timed_out";
const STOPPED: &str = "stopped";
const EXITED: &str = "exited";
const SIGNALLED: &str = "signalled";

/// Records how a program ended, beside its output. The exit recorder writes its own record; this one holds the
/// endings that only the server knows: its own stop or deadline, and an exit without an exit record.
pub(crate) fn write(spool: &Path, ending: ProcessEnding) -> io::Result<()> {
    let text = match ending {
        ProcessEnding::Exited(code) => format!("{EXITED} {code}\n"),
        ProcessEnding::Signalled(signal) => format!("{SIGNALLED} {signal}\n"),
        ProcessEnding::TimedOut => format!("{TIMED_OUT} 0\n"),
        ProcessEnding::Stopped => format!("{STOPPED} 0\n"),
    };
    let fresh = spool.join("ended.new");
    fs::write(&fresh, text)?;
    fs::rename(fresh, record_path(spool))
}

/// How the program ended, if a server recorded it.
pub(crate) fn load(spool: &Path) -> Option<ProcessEnding> {
    let text = fs::read_to_string(record_path(spool)).ok()?;
    let (word, number) = text.trim_end().split_once(' ')?;
    let number: i32 = number.parse().ok()?;
    match word {
        EXITED => Some(ProcessEnding::Exited(number)),
        SIGNALLED => Some(ProcessEnding::Signalled(number)),
        TIMED_OUT => Some(ProcessEnding::TimedOut),
        STOPPED => Some(ProcessEnding::Stopped),
        _ => None,
    }
}

/// Removes the record: the program continues under another server.
pub(crate) fn remove(spool: &Path) {
    // The file is usually absent.
    fs::remove_file(record_path(spool)).ok();
}

fn record_path(spool: &Path) -> PathBuf {
    spool.join("ended")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn issue_13_04_every_ending_is_read_as_it_was_written() {
        let spool = tempfile::tempdir().expect("a directory");
        assert_eq!(load(spool.path()), None);
        for ending in [
            ProcessEnding::Exited(7),
            ProcessEnding::Signalled(9),
            ProcessEnding::TimedOut,
            ProcessEnding::Stopped,
        ] {
            write(spool.path(), ending).expect("written");
            assert_eq!(load(spool.path()), Some(ending));
        }
        remove(spool.path());
        assert_eq!(load(spool.path()), None);
    }
}
