//! The command `forge completions`.

use clap::Args;
use clap_complete::Shell;

use crate::cli_error::CliError;
use crate::completion::completion_request::completion_script;
use crate::context::CliContext;

/// Print a completion script for your shell
///
/// It completes commands and options, and the names of tasks, agents, projects and states on your server. Load it when
/// the shell starts, for example in ~/.bashrc: source <(forge completions bash)
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// Shell to complete for
    shell: Shell,
}

impl CompletionsArgs {
    pub(crate) fn run(self, context: &CliContext) -> Result<(), CliError> {
        let script = completion_script(self.shell)?;
        context.output.print_text(&String::from_utf8_lossy(&script))
    }
}
