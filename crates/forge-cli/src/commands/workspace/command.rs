//! The actions of `forge workspace`.

use clap::Subcommand;

use super::clean::Clean;
use super::list::List;
use super::orphans::Orphans;
use super::reset::Reset;
use super::setup::Setup;
use super::show::Show;
use crate::context::Context;
use crate::failure::Failure;

/// Where tasks are worked on
#[derive(Debug, Subcommand)]
pub(crate) enum Workspace {
    Reset(Reset),
    Clean(Clean),
    Orphans(Orphans),
    #[command(visible_alias = "ls")]
    List(List),
    Show(Show),
    Setup(Setup),
}

impl Workspace {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
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
