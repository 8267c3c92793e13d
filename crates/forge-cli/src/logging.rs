//! The server's own log, on standard error.

use std::io::{self, IsTerminal};

use forge_server::settings::LogFormat;
use tracing_subscriber::EnvFilter;

use crate::failure::Failure;

/// Begins to write the log; once per process.
pub(crate) fn begin(format: LogFormat, level: &str) -> Result<(), Failure> {
    let filter = EnvFilter::try_new(level).map_err(|error| {
        Failure::usage(format!("log_level: {error}"))
            .hint("use error, warn, info, debug, trace, or a filter such as info,forge_git=debug")
    })?;
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal());
    let begun = match format {
        LogFormat::Text => log.try_init(),
        LogFormat::Json => log.json().try_init(),
    };
    begun.map_err(|error| Failure::local(error.to_string()))
}
