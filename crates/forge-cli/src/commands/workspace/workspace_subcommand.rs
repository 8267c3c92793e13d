//! The actions of `forge workspace`.

use clap::Subcommand;

use crate::cli_error::CliError;
use crate::commands::workspace::clean::WorkspaceCleanArgs;
use crate::commands::workspace::list::WorkspaceListArgs;
use crate::commands::workspace::orphans::WorkspaceOrphansArgs;
use crate::commands::workspace::reset::WorkspaceResetArgs;
use crate::commands::workspace::setup::WorkspaceSetupArgs;
use crate::commands::workspace::show::WorkspaceShowArgs;
use crate::context::CliContext;

/// Workspaces: the directories in which tasks run
#[derive(Debug, Subcommand)]
pub(crate) enum WorkspaceSubcommand {
    Reset(WorkspaceResetArgs),
    Clean(WorkspaceCleanArgs),
    Orphans(WorkspaceOrphansArgs),
    #[command(visible_alias = "ls")]
    List(WorkspaceListArgs),
    Show(WorkspaceShowArgs),
    Setup(WorkspaceSetupArgs),
}

impl WorkspaceSubcommand {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        match self {
            Self::Reset(reset) => reset.run(context).await,
            Self::Clean(clean) => clean.run(context).await,
            Self::Orphans(orphans) => orphans.run(context).await,
            Self::List(list) => list.run(context).await,
            Self::Show(show) => show.run(context).await,
            Self::Setup(setup) => setup.run(context).await,
        }
    }
}
