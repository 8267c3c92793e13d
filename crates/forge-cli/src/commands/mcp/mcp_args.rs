//! The command `forge mcp`.

use clap::{Args, Subcommand, ValueEnum};
use forge_client::McpToolSet;

use crate::cli_error::CliError;
use crate::commands::mcp::mcp_install::McpInstallArgs;
use crate::commands::mcp::stdio_proxy::run_proxy;
use crate::context::CliContext;

/// Serve Forge's tools to an agent program (Model Context Protocol)
///
/// Reads messages from standard input, sends them to the server and prints its answers. Agent programs start it by
/// themselves: `forge mcp install` prepares them. Server and credential are those of every command: FORGE_URL and
/// FORGE_TOKEN, otherwise the last `forge login`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct McpArgs {
    /// Tools to offer; inside an execution always those of its task
    #[arg(long, value_name = "SET", default_value = "board")]
    set: ToolSetChoice,
    #[command(subcommand)]
    command: Option<McpSubcommand>,
}

#[derive(Debug, Subcommand)]
enum McpSubcommand {
    Install(McpInstallArgs),
}

/// The tools that the server offers.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum ToolSetChoice {
    /// The tools of a task's agent
    Run,
    /// The tools of a board
    Board,
    /// A tool for everything
    All,
}

impl McpArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        if let Some(McpSubcommand::Install(install)) = self.command {
            return install.run(context);
        }
        let set = match self.set {
            ToolSetChoice::Run => McpToolSet::Run,
            ToolSetChoice::Board => McpToolSet::Board,
            ToolSetChoice::All => McpToolSet::All,
        };
        run_proxy(context.client()?, set).await
    }
}
