use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::ended::Exit;

/// Waits for the program and writes down how it left, because after our death nobody else would be told. It lives and
/// dies by the signals that the program gets, and stands in its session, so ending a run ends it too.
pub(crate) const SCRIPT: &str =
    r#"note=$1; shift; "$@"; code=$?; echo "$code" > "$note"; exit "$code""#;

/// Always there where the relay's tools are; the run's own `PATH` is for the program.
pub(crate) const SHELL: &str = "/bin/sh";

/// A shell says of a program that a signal ended it by adding this.
const SIGNALLED: i32 = 128;
/// The last of the signals with a name.
const LAST_SIGNAL: i32 = 31;

/// Where the keeper of a run writes: beside what the relay keeps, and gone with it.
pub(crate) fn note_in(spool: &Path) -> PathBuf {
    spool.join("exit")
}

/// A shell passes on only variables that it could name itself; a run that has others is started without one, and how
/// it left is not known after a restart.
pub(crate) fn can_keep<'a>(names: impl IntoIterator<Item = &'a OsStr>) -> bool {
    names.into_iter().all(|name| {
        let bytes = name.as_bytes();
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        bytes.iter().all(plain) && bytes.first().is_some_and(|first| !first.is_ascii_digit())
    })
}

/// How the program left, as its keeper says it.
pub(crate) fn told(code: Exit) -> Exit {
    match code {
        Exit::Code(code) if (SIGNALLED + 1..=SIGNALLED + LAST_SIGNAL).contains(&code) => {
            Exit::Signal(code - SIGNALLED)
        }
        exit => exit,
    }
}

/// What the keeper wrote down; none if it did not come to it.
pub(crate) fn load_note(spool: &Path) -> Option<Exit> {
    let text = fs::read_to_string(note_in(spool)).ok()?;
    // Without its end it may be half a number.
    let code = text.strip_suffix('\n')?.parse().ok()?;
    Some(told(Exit::Code(code)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn e_12_a_note_is_read_whole_or_not_at_all() {
        let directory = tempfile::tempdir().expect("a directory");
        assert_eq!(load_note(directory.path()), None);
        for (text, exit) in [
            ("0\n", Some(Exit::Code(0))),
            ("7\n", Some(Exit::Code(7))),
            ("137\n", Some(Exit::Signal(9))),
            ("255\n", Some(Exit::Code(255))),
            ("13", None),
            ("", None),
        ] {
            fs::write(note_in(directory.path()), text).expect("a note");
            assert_eq!(load_note(directory.path()), exit, "{text:?}");
        }
    }

    #[test]
    fn e_12_names_that_a_shell_would_drop_are_known() {
        let can = |names: &[&str]| can_keep(names.iter().map(OsStr::new));
        assert!(can(&["PATH", "_", "a1"]));
        assert!(!can(&["PATH", "a-b"]));
        assert!(!can(&["1a"]));
        assert!(!can(&[""]));
    }
}
