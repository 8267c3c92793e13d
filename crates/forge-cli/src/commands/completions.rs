//! `forge completions`

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::context::Context;
use crate::failure::Failure;

/// Print a completion script for your shell
///
/// For bash: `forge completions bash > ~/.local/share/bash-completion/completions/forge`
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(self, context: &Context) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "forge", &mut script);
        context.output.text(&String::from_utf8_lossy(&script))
    }
}
