//! `forge demo`

use clap::Args;

use crate::context::Context;
use crate::failure::Failure;

/// See Forge work, on a throw-away repository
#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Keep the directory with the repository and the server's data, and say where it is
    #[arg(long)]
    keep: bool,
}

impl Demo {
    pub(crate) async fn run(self, _context: &Context) -> Result<(), Failure> {
        Err(Failure::local("this build has no server yet"))
    }
}
