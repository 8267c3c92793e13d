//! `forge agent check`

use clap::Args;
use forge_api::AgentFinding;

use crate::context::Context;
use crate::failure::Failure;
use crate::paint::Ink;
use crate::table::Table;

/// Show who works, who is stuck, what failed and what was left, with what tells so
#[derive(Debug, Args)]
pub(crate) struct Check {}

impl Check {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let check = context.client()?.check_agents().await?;
        let groups = [
            ("running", Ink::Good, &check.running),
            ("stuck", Ink::Bad, &check.stuck),
            ("failed", Ink::Bad, &check.failed),
            ("abandoned", Ink::Doubtful, &check.abandoned),
        ];
        if groups.iter().all(|(_, _, items)| items.is_empty()) {
            context.output.note("Nobody works, and nothing waits to be looked after.");
        }
        let mut table = Table::new(&["task", "is", "for", "in", "evidence"]).flexible(4);
        for (name, ink, items) in groups {
            for item in items {
                let AgentFinding { key, status, evidence, .. } = item;
                let age = age(item.age_seconds);
                table.row([
                    (Ink::Strong, key.as_str()),
                    (ink, name),
                    (Ink::Plain, age.as_str()),
                    (Ink::Plain, status.as_str()),
                    (Ink::Faint, evidence.as_str()),
                ]);
            }
        }
        context.output.table(&check, &table)
    }
}

fn age(seconds: u64) -> String {
    match seconds {
        0..=119 => format!("{seconds} s"),
        120..=7199 => format!("{} min", seconds / 60),
        7200..=172_799 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}
