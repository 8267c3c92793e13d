//! The results of the demo's tasks.

use forge_api::{DemoReport, TaskPhase};

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::terminal::next_steps::wrap_lines;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{TextTable, one_line};
use crate::terminal::wire_words::short_commit;

/// Prints the tasks with their results, and the landed commits.
pub(crate) fn print(context: &CliContext, demo: &DemoReport) -> Result<(), CliError> {
    let mut table = TextTable::new(&["task", "outcome", "attempts", "commit", "title"]).flexible(4);
    for task in &demo.tasks {
        let ink = match task.phase {
            TaskPhase::Done => TextStyle::Success,
            TaskPhase::Backlog | TaskPhase::Ready | TaskPhase::Working | TaskPhase::Review => {
                TextStyle::Warning
            }
        };
        table.row([
            (TextStyle::Bold, &task.key),
            (ink, &task.status),
            (TextStyle::Plain, &task.attempts.to_string()),
            (TextStyle::Dim, task.commit.as_deref().map(short_commit).unwrap_or_default()),
            (TextStyle::Plain, &task.title),
        ]);
        if let Some(remark) = &task.remark {
            let lines = wrap_lines(&one_line(remark), |line| format!("      {line}\n"));
            table.note(lines.trim_end().to_owned());
        }
    }
    context.output.print_table(demo, &table)?;
    if context.output.is_json() {
        return Ok(());
    }
    let log: String = demo.log.iter().map(|line| format!("  {}\n", one_line(line))).collect();
    context.output.print_text(&format!(
        "\n{}\n{log}",
        context.output.styled(TextStyle::Dim, "git log --oneline")
    ))
}
