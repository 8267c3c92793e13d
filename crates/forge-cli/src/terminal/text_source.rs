//! Text that may be long: given directly, in a file, or piped in.

use std::fs;
use std::io::{self, Read};

use crate::cli_error::CliError;

/// Larger than any server accepts.
const LONGEST_TEXT: u64 = 16 * 1024 * 1024;

/// `-` is standard input, `@FILE` a file's content, anything else the text itself.
pub(crate) fn read_text(given: &str) -> Result<String, CliError> {
    if given == "-" {
        let mut text = String::new();
        io::stdin()
            .lock()
            .take(LONGEST_TEXT)
            .read_to_string(&mut text)
            .map_err(|error| CliError::usage(format!("standard input cannot be read: {error}")))?;
        return Ok(text);
    }
    match given.strip_prefix('@') {
        Some(path) => fs::read_to_string(path)
            .map_err(|error| CliError::usage(format!("{path} cannot be read: {error}"))),
        None => Ok(given.to_owned()),
    }
}
