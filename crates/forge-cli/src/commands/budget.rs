//! The command `forge budget`.

use clap::Args;
use forge_api::{BudgetLimits as Limits, ProjectPatch, ProjectSettings, TaskPatch};

use crate::cli_error::CliError;
use crate::commands::usage::print_usage;
use crate::context::CliContext;
use crate::lookup::ProjectOption;
use crate::task_ref::TaskRef;
use crate::terminal::micro_dollars::MicroDollars;

/// Limit what agents may use in a project or on a task
///
/// When the limit is reached, running executions finish and no new one starts. Waiting work continues automatically
/// when the budget is raised.
#[derive(Debug, Args)]
pub(crate) struct BudgetArgs {
    /// One task (T-12, or its identifier); default: the whole project
    task: Option<TaskRef>,
    /// Limit in US dollars, for example 2.50
    #[arg(long, value_name = "DOLLARS")]
    usd: Option<MicroDollars>,
    /// Limit in tokens, input and output together
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    tokens: Option<u64>,
    /// Remove all limits
    #[arg(long, conflicts_with_all = ["usd", "tokens"])]
    none: bool,
    #[command(flatten)]
    project: ProjectOption,
}

impl BudgetArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
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
                    client.tasks().update(found.id, &patch).await?;
                }
                client.usage().fetch_for_task(found.id).await?
            }
            None => {
                let found = self.project.fetch(&client).await?;
                if changes {
                    let settings = ProjectSettings { budget, ..found.settings };
                    let version = found.version;
                    let patch = ProjectPatch { version, name: None, settings: Some(settings) };
                    client.projects().update(found.id, &patch).await?;
                }
                client.usage().fetch_for_project(found.id).await?
            }
        };
        print_usage(context, &sum)
    }
}
