//! The command `forge agent check`.

use clap::Args;
use forge_api::AgentFinding;

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{TextTable, one_line};
use crate::terminal::wire_words::readable_age;

/// Show running and stuck agents, failures, tasks that need a person and abandoned work, with the next command
#[derive(Debug, Args)]
pub(crate) struct AgentCheckArgs {}

impl AgentCheckArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let check = context.client()?.agents().check_all().await?;
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
        let mut table = TextTable::new(&["task", "is", "for", "in", "evidence"]).flexible(4);
        let mut next = String::new();
        for (name, ink, items) in groups {
            for item in items {
                let AgentFinding { key, status, evidence, .. } = item;
                let age = readable_age(item.age_seconds);
                table.row([
                    (TextStyle::Bold, key.as_str()),
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
