//! `forge budget`

use clap::Args;
use forge_api::{Budget as Limits, ProjectPatch, ProjectSettings, TaskPatch};

use super::usage::show;
use crate::context::Context;
use crate::failure::Failure;
use crate::lookup::ProjectOption;
use crate::money::Dollars;
use crate::task_ref::TaskRef;

/// Set how much agents may use in a project, or on a task, before no further run begins
///
/// A run that is under way comes to its end. What waits for money goes on by itself when the budget is raised.
#[derive(Debug, Args)]
pub(crate) struct Budget {
    /// Of one task: T-12, or its identifier; of the whole project if left out
    task: Option<TaskRef>,
    /// Dollars, for example 2.50
    #[arg(long, value_name = "DOLLARS")]
    usd: Option<Dollars>,
    /// Tokens, read and written
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    tokens: Option<u64>,
    /// Take the limits away
    #[arg(long, conflicts_with_all = ["usd", "tokens"])]
    none: bool,
    #[command(flatten)]
    project: ProjectOption,
}

impl Budget {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let asked = Limits { cost_micro_usd: self.usd.map(|usd| usd.0), tokens: self.tokens };
        let changes = self.none || asked != Limits::default();
        let budget = (!self.none).then_some(asked);
        let sum = match self.task {
            Some(task) => {
                let found = self.project.fetch_task(&client, task).await?;
                if changes {
                    let patch = TaskPatch {
                        version: found.version,
                        budget: Some(budget),
                        ..TaskPatch::default()
                    };
                    client.update_task(found.id, &patch).await?;
                }
                client.fetch_task_usage(found.id).await?
            }
            None => {
                let found = self.project.fetch(&client).await?;
                if changes {
                    let settings = ProjectSettings { budget, ..found.settings };
                    let version = found.version;
                    let patch = ProjectPatch { version, name: None, settings: Some(settings) };
                    client.update_project(found.id, &patch).await?;
                }
                client.fetch_project_usage(found.id).await?
            }
        };
        show(context, &sum)
    }
}
