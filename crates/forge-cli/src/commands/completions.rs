//! The command `forge completions`.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::ForgeCli;
use crate::cli_error::CliError;
use crate::context::CliContext;

/// Print a completion script for your shell
///
/// For bash: `forge completions bash > ~/.local/share/bash-completion/completions/forge`
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// Shell to complete for
    shell: Shell,
}

impl CompletionsArgs {
    pub(crate) fn run(self, context: &CliContext) -> Result<(), CliError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut ForgeCli::command(), "forge", &mut script);
        context.output.print_text(&String::from_utf8_lossy(&script))
    }
}
