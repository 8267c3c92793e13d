//! Text that may be long: given as it is, in a file, or piped in.

use std::fs;
use std::io::{self, Read};

use crate::failure::Failure;

/// More than a server would take anyway.
const LONGEST: u64 = 16 * 1024 * 1024;

/// `-` is standard input, `@FILE` a file's content, anything else the text itself.
pub(crate) fn read(given: &str) -> Result<String, Failure> {
    if given == "-" {
        let mut text = String::new();
        io::stdin()
            .lock()
            .take(LONGEST)
            .read_to_string(&mut text)
            .map_err(|error| Failure::usage(format!("standard input cannot be read: {error}")))?;
        return Ok(text);
    }
    match given.strip_prefix('@') {
        Some(path) => fs::read_to_string(path)
            .map_err(|error| Failure::usage(format!("{path} cannot be read: {error}"))),
        None => Ok(given.to_owned()),
    }
}
