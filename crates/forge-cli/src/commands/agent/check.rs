//! The command `forge agent check`.

use clap::Args;
use forge_api::AgentFinding;

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::project_names::ProjectNames;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{TextTable, one_line};
use crate::terminal::wire_words::readable_age;

/// Show running, stuck, failed and abandoned work
///
/// Each entry has its evidence, and the next command. Tasks that wait for a person are listed as waiting.
#[derive(Debug, Args)]
pub(crate) struct AgentCheckArgs {}

impl AgentCheckArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let check = client.agents().check_all().await?;
        let groups = [
            ("running", TextStyle::Success, &check.running),
            ("stuck", TextStyle::Error, &check.stuck),
            ("failed", TextStyle::Error, &check.failed),
            ("waiting", TextStyle::Warning, &check.waiting),
            ("abandoned", TextStyle::Warning, &check.abandoned),
        ];
        if groups.iter().all(|(_, _, items)| items.is_empty()) {
            context.output.print_note("No agent is working, and nothing needs attention.");
        }
        let all = groups.iter().flat_map(|(_, _, items)| items.iter());
        let names = ProjectNames::fetch(&client, all.map(|item| item.project_id)).await?;
        let mut table =
            TextTable::new(&["task", "project", "is", "for", "in", "evidence"]).flexible(5);
        let mut next = String::new();
        for (name, ink, items) in groups {
            for item in items {
                let AgentFinding { key, status, evidence, .. } = item;
                let age = readable_age(item.age_seconds);
                table.row([
                    (TextStyle::Bold, key.as_str()),
                    (TextStyle::Dim, names.name(item.project_id)),
                    (ink, name),
                    (TextStyle::Plain, age.as_str()),
                    (TextStyle::Plain, status.as_str()),
                    (TextStyle::Dim, evidence.as_str()),
                ]);
                if let Some(step) = item.next.first().filter(|_| name != "running") {
                    next.push_str(&format!("\n  {key:<6} {}", one_line(&step.command)));
                }
            }
        }
        context.output.print_table(&check, &table)?;
        if !next.is_empty() {
            context.output.print_note(&format!("Next:{next}"));
        }
        Ok(())
    }
}
