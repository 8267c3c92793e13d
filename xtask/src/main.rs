//! `cargo xtask tidy`: checks the project rules.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use xtask::tidy::TidyCheck;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let report = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["tidy"] => check(),
        _ => Err("usage: cargo xtask tidy".to_owned()),
    };
    let (text, code) = match report {
        Ok(text) => (text, ExitCode::SUCCESS),
        Err(text) => (text, ExitCode::FAILURE),
    };
    match writeln!(io::stderr(), "{text}") {
        Ok(()) => code,
        Err(_) => ExitCode::FAILURE,
    }
}

fn check() -> Result<String, String> {
    let tidy = TidyCheck::load(Path::new(".")).map_err(|error| error.to_string())?;
    let offences = tidy.check_all().map_err(|error| error.to_string())?;
    if offences.is_empty() {
        return Ok("tidy".to_owned());
    }
    let lines: Vec<_> = offences.iter().map(ToString::to_string).collect();
    Err(format!("{}\n{} offence(s)", lines.join("\n"), offences.len()))
}
