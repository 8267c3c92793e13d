//! The events of a log as lines.

use forge_api::{LogEvent, LogEventKind};

use crate::commands::board::state::text_screen::{TextTone, visible};

/// Lines of a tool's output that are shown; the pager and `forge task log` have all.
const MOST_RESULT_LINES: usize = 12;

/// The lines of events, in their order.
pub(crate) fn log_lines(events: &[LogEvent]) -> Vec<(TextTone, String)> {
    events.iter().flat_map(event_lines).collect()
}

fn event_lines(event: &LogEvent) -> Vec<(TextTone, String)> {
    let text = event.text.as_deref().unwrap_or_default();
    match event.kind {
        LogEventKind::Assistant | LogEventKind::Stdout => all(TextTone::Plain, "", text),
        LogEventKind::Thinking => all(TextTone::Dim, "  ", text),
        LogEventKind::Stderr => all(TextTone::Failure, "", text),
        LogEventKind::ToolCall => {
            let name = event.name.as_deref().unwrap_or_default();
            let input = event.input.as_ref().map(tool_input).unwrap_or_default();
            vec![(TextTone::Tool, visible(&format!("▸ {name}  {input}")))]
        }
        LogEventKind::ToolResult => {
            let has_failed = event.failed == Some(true);
            let tone = if has_failed { TextTone::Failure } else { TextTone::Dim };
            let mut lines = all(tone, "  ", event.output.as_deref().unwrap_or_default());
            let more = lines.len().saturating_sub(MOST_RESULT_LINES);
            if more > 0 {
                lines.truncate(MOST_RESULT_LINES);
                lines.push((TextTone::Dim, format!("  … {more} more lines")));
            }
            lines
        }
        LogEventKind::Usage => {
            let (input, output) =
                (event.input_tokens.unwrap_or_default(), event.output_tokens.unwrap_or_default());
            vec![(TextTone::Dim, format!("{input} tokens read, {output} written"))]
        }
        // The identifier of a conversation says nothing to a person.
        LogEventKind::Session => Vec::new(),
        LogEventKind::Status => {
            all(TextTone::Dim, "· ", event.status.as_deref().unwrap_or_default())
        }
    }
}

fn all(tone: TextTone, before: &str, text: &str) -> Vec<(TextTone, String)> {
    text.lines().map(|line| (tone, format!("{before}{}", visible(line)))).collect()
}

/// The values of a tool's input, without the names of single ones.
fn tool_input(input: &serde_json::Value) -> String {
    let word = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => text.replace('\n', " ↵ "),
        other => other.to_string(),
    };
    match input.as_object() {
        Some(fields) => {
            let words: Vec<_> = fields.values().map(word).collect();
            words.join("  ")
        }
        None => word(input),
    }
}
