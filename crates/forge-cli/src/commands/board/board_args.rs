//! The arguments of `forge board`.

use std::io::{self, IsTerminal};

use clap::Args;

use crate::cli_error::CliError;
use crate::commands::board::board_config::BoardConfig;
use crate::commands::board::driver::{BoardDriver, current_time};
use crate::commands::board::state::BoardState;
use crate::context::CliContext;
use crate::lookup::ProjectOption;

/// Show a project's tasks in the terminal, live, and act on them
///
/// `?` lists the keys, `q` quits. Keys, order and bell are set in `board.toml` in the directory of your Forge files
/// (`~/.config/forge`).
#[derive(Debug, Args)]
pub(crate) struct BoardArgs {
    #[command(flatten)]
    project: ProjectOption,
}

impl BoardArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let is_dumb = context.environment.get("TERM").is_some_and(|term| term == "dumb");
        let has_terminal = io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb;
        if context.output.is_json() || !has_terminal {
            return Err(CliError::usage("the board needs a terminal for its input and output")
                .hint("`forge task list` prints the tasks, with --json as a document"));
        }
        // Everything that can be wrong is found before the terminal changes.
        let config = BoardConfig::load(&context.environment)?;
        let client = context.client()?;
        let project = self.project.fetch(&client).await?;
        let mut state = BoardState::new(project, config, current_time());
        state.has_colors = context.output.has_colors();
        Box::pin(BoardDriver::open(state, client, &context.environment)?.run()).await
    }
}
