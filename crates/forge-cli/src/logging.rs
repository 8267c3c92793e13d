//! The server's own log, on standard error.

use std::io::{self, IsTerminal};

use forge_server::settings::LogFormat;
use tracing_subscriber::EnvFilter;

use crate::cli_error::CliError;

/// Initialises logging; call it once per process.
pub(crate) fn init_logging(format: LogFormat, level: &str) -> Result<(), CliError> {
    let filter = EnvFilter::try_new(level).map_err(|error| {
        CliError::usage(format!("log_level: {error}"))
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
    begun.map_err(|error| CliError::local(error.to_string()))
}
