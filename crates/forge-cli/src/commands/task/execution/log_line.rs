//! Formats a log event for a terminal.

use forge_api::{LogEvent, LogEventKind};

use crate::terminal::text_table::{one_line, plain_text};

/// The event as text, with a line end.
pub(crate) fn format_event(event: &LogEvent) -> String {
    let text = event.text.as_deref().unwrap_or_default();
    match event.kind {
        LogEventKind::Assistant | LogEventKind::Stdout => format!("{}\n", plain_text(text)),
        LogEventKind::Thinking => format!("[thinks] {}\n", plain_text(text)),
        LogEventKind::Stderr => format!("[error] {}\n", plain_text(text)),
        LogEventKind::ToolCall => {
            let name = one_line(event.name.as_deref().unwrap_or_default());
            let input = event.input.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("[uses {name}] {}\n", one_line(&input))
        }
        LogEventKind::ToolResult => {
            let failed = if event.failed == Some(true) { "failed" } else { "result" };
            format!("[{failed}] {}\n", plain_text(event.output.as_deref().unwrap_or_default()))
        }
        LogEventKind::Usage => format!(
            "[usage] {} tokens read, {} written\n",
            event.input_tokens.unwrap_or_default(),
            event.output_tokens.unwrap_or_default()
        ),
        LogEventKind::Session => {
            format!("[session] {}\n", one_line(event.id.as_deref().unwrap_or_default()))
        }
        LogEventKind::Status => {
            format!("[{}]\n", one_line(event.status.as_deref().unwrap_or_default()))
        }
    }
}
