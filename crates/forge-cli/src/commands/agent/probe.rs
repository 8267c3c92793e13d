//! `forge agent probe`

use std::ffi::OsString;

use clap::Args;
use forge_agent::{Installed, Kind, probe};
use serde::Serialize;

use super::add::kinds;
use crate::context::Context;
use crate::failure::Failure;
use crate::paint::Ink;
use crate::table::Table;

/// Looks for agent programs on the PATH of this shell. A server that is started elsewhere may have another one.
#[derive(Debug, Args)]
pub(crate) struct Probe {
    /// Only this kind; may be repeated
    #[arg(long = "kind", value_name = "KIND", value_parser = kinds::<Kind>())]
    kinds: Vec<Kind>,
}

#[derive(Serialize)]
struct Report {
    items: Vec<Installed>,
}

impl Probe {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let kinds = if self.kinds.is_empty() { Kind::ALL.to_vec() } else { self.kinds };
        let environment: Vec<(OsString, OsString)> = context.environment.all().collect();
        let items =
            probe(kinds, &environment).await.map_err(|error| Failure::local(error.to_string()))?;
        let mut table = Table::new(&["kind", "program", "version", "would run"]).flexible(3);
        for found in &items {
            let (ink, version) = match (&found.version, &found.problem) {
                (Some(version), _) => (Ink::Good, version.as_str()),
                (None, Some(problem)) => (Ink::Bad, problem.as_str()),
                (None, None) => (Ink::Faint, "not found"),
            };
            let path = found.path.as_ref().map(|path| path.to_string_lossy().into_owned());
            table.row([
                (Ink::Strong, found.kind.as_str()),
                (Ink::Plain, path.as_deref().unwrap_or(&found.program)),
                (ink, version),
                (Ink::Faint, &found.command.join(" ")),
            ]);
        }
        context.output.table(&Report { items }, &table)?;
        context.output.note("shell and acp agents run any command: forge agent add --help");
        Ok(())
    }
}
