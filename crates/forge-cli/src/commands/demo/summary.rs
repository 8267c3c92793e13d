//! What became of the tasks.

use forge_api::{Demo, Phase};

use crate::context::Context;
use crate::failure::Failure;
use crate::paint::Ink;
use crate::table::{Table, one_line};
use crate::words::short;

/// The tasks with their ends, and what has landed.
pub(super) fn print(context: &Context, demo: &Demo) -> Result<(), Failure> {
    let mut table = Table::new(&["task", "outcome", "attempts", "commit", "title"]).flexible(4);
    for task in &demo.tasks {
        let ink = match task.phase {
            Phase::Done => Ink::Good,
            Phase::Backlog | Phase::Ready | Phase::Working | Phase::Review => Ink::Doubtful,
        };
        table.row([
            (Ink::Strong, &task.key),
            (ink, &task.status),
            (Ink::Plain, &task.attempts.to_string()),
            (Ink::Faint, task.commit.as_deref().map(short).unwrap_or_default()),
            (Ink::Plain, &task.title),
        ]);
    }
    context.output.table(demo, &table)?;
    if context.output.is_json() {
        return Ok(());
    }
    let log: String = demo.log.iter().map(|line| format!("  {}\n", one_line(line))).collect();
    context
        .output
        .text(&format!("\n{}\n{log}", context.output.ink(Ink::Faint, "git log --oneline")))
}
