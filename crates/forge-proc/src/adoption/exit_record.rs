use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::supervise::process_outcome::ProcessExit;

/// Waits for the program and writes its exit code to a file, because after the death of the server no other process
/// would learn it. It receives the same signals as the program and runs in the same session, so ending the tree ends
/// it too.
pub(crate) const SCRIPT: &str =
    r#"note=$1; shift; "$@"; code=$?; echo "$code" > "$note"; exit "$code""#;

/// Present wherever the relay's tools are; the call's own `PATH` is for the program only.
pub(crate) const SHELL: &str = "/bin/sh";

/// A shell adds this number to the signal that ended a program.
const SIGNAL_OFFSET: i32 = 128;
/// The last signal with a name.
const LAST_SIGNAL: i32 = 31;

/// The file that the exit recorder writes, in the spool directory and removed with it.
pub(crate) fn record_path(spool: &Path) -> PathBuf {
    spool.join("exit")
}

/// A shell passes on only variables with names that it could define itself. A program with other variables is started
/// without an exit recorder, and its exit is unknown after a restart.
pub(crate) fn can_record<'a>(names: impl IntoIterator<Item = &'a OsStr>) -> bool {
    names.into_iter().all(|name| {
        let bytes = name.as_bytes();
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        bytes.iter().all(plain) && bytes.first().is_some_and(|first| !first.is_ascii_digit())
    })
}

/// Decodes an exit that passed through a shell: codes above 128 are signals.
pub(crate) fn decode_shell_exit(code: ProcessExit) -> ProcessExit {
    match code {
        ProcessExit::Code(code)
            if (SIGNAL_OFFSET + 1..=SIGNAL_OFFSET + LAST_SIGNAL).contains(&code) =>
        {
            ProcessExit::Signal(code - SIGNAL_OFFSET)
        }
        exit => exit,
    }
}

/// The recorded exit; `None` if the recorder did not write one.
pub(crate) fn load_exit(spool: &Path) -> Option<ProcessExit> {
    let text = fs::read_to_string(record_path(spool)).ok()?;
    // Without the line end the number may be incomplete.
    let code = text.strip_suffix('\n')?.parse().ok()?;
    Some(decode_shell_exit(ProcessExit::Code(code)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn e_12_an_exit_record_is_read_whole_or_not_at_all() {
        let directory = tempfile::tempdir().expect("a directory");
        assert_eq!(load_exit(directory.path()), None);
        for (text, exit) in [
            ("0\n", Some(ProcessExit::Code(0))),
            ("7\n", Some(ProcessExit::Code(7))),
            ("137\n", Some(ProcessExit::Signal(9))),
            ("255\n", Some(ProcessExit::Code(255))),
            ("13", None),
            ("", None),
        ] {
            fs::write(record_path(directory.path()), text).expect("a note");
            assert_eq!(load_exit(directory.path()), exit, "{text:?}");
        }
    }

    #[test]
    fn e_12_variable_names_that_a_shell_drops_are_detected() {
        let can = |names: &[&str]| can_record(names.iter().map(OsStr::new));
        assert!(can(&["PATH", "_", "a1"]));
        assert!(!can(&["PATH", "a-b"]));
        assert!(!can(&["1a"]));
        assert!(!can(&[""]));
    }
}
