//! The command `forge man`.

use std::path::PathBuf;

use clap::{Args, CommandFactory};

use crate::cli::ForgeCli;
use crate::cli_error::CliError;
use crate::context::CliContext;

/// Print the manual page, or write all pages to a directory
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Write one page per command into this directory, which is created if necessary
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
}

impl ManArgs {
    pub(crate) fn run(self, context: &CliContext) -> Result<(), CliError> {
        if let Some(dir) = self.into {
            std::fs::create_dir_all(&dir)
                .and_then(|()| clap_mangen::generate_to(ForgeCli::command(), &dir))
                .map_err(|error| CliError::usage(format!("{}: {error}", dir.display())))?;
            return Ok(());
        }
        let mut page = Vec::new();
        clap_mangen::Man::new(ForgeCli::command()).render(&mut page)?;
        context.output.print_text(&String::from_utf8_lossy(&page))
    }
}
