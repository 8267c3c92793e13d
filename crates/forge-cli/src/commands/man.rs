//! `forge man`

use std::path::PathBuf;

use clap::{Args, CommandFactory};

use crate::cli::Cli;
use crate::context::Context;
use crate::failure::Failure;

/// Print the manual page, or write those of all commands into a directory
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// Write a page per command into this directory
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
}

impl Man {
    pub(crate) fn run(self, context: &Context) -> Result<(), Failure> {
        if let Some(dir) = self.into {
            clap_mangen::generate_to(Cli::command(), &dir)
                .map_err(|error| Failure::usage(format!("{}: {error}", dir.display())))?;
            return Ok(());
        }
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command()).render(&mut page)?;
        context.output.text(&String::from_utf8_lossy(&page))
    }
}
