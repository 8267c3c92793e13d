//! Formats the next steps for a task, as the server suggests them.

use forge_api::NextStep;

use crate::context::CliContext;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::one_line;

/// The usual width of a terminal, without the margin.
const WIDTH: usize = 76;
/// More file names than this are not useful.
const MOST_FILES: usize = 20;

/// The steps as a list: the purpose of each, and its command on a line that can be copied.
pub(crate) fn list_steps(context: &CliContext, steps: &[NextStep]) -> String {
    let labels: Vec<_> = steps.iter().map(|step| one_line(&step.label)).collect();
    let commands: Vec<_> = steps.iter().map(|step| one_line(&step.command)).collect();
    let width = commands.iter().map(|command| command.chars().count()).max().unwrap_or(0);
    let longest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let fits = width + longest + 10 <= WIDTH;
    let mut text = String::new();
    for (place, (label, command)) in labels.iter().zip(&commands).enumerate() {
        let mark = if place == 0 { "next" } else { "or" };
        let padded = if fits { format!("{command:<width$}") } else { command.clone() };
        let command = context.output.styled(TextStyle::Bold, &padded);
        let label = context.output.styled(TextStyle::Dim, label);
        let line = if fits { format!("  {label}") } else { format!("\n          {label}") };
        text.push_str(&format!("  {mark:<6}{command}{line}\n"));
    }
    text
}

/// File names, one per line.
pub(crate) fn list_files(names: &[String]) -> String {
    let shown = names.iter().take(MOST_FILES).map(|name| format!("    {}\n", one_line(name)));
    let mut text: String = shown.collect();
    let more = names.len().saturating_sub(MOST_FILES);
    if more > 0 {
        text.push_str(&format!("    and {more} more\n"));
    }
    text
}

/// Text wrapped between words to fit a terminal.
pub(crate) fn wrap_lines(text: &str, line: impl Fn(&str) -> String) -> String {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        let Some(last) = lines.last_mut() else { break };
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + word.chars().count() <= WIDTH {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.iter().map(|text| line(text)).collect()
}
