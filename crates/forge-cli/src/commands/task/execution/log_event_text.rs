//! Formats log events for people: the agent's text, tool calls on one line, results folded, errors in full.

use forge_api::{LogEvent, LogEventKind};
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use crate::terminal::cli_output::CliOutput;
use crate::terminal::escape_sequences::strip_escapes;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{cut_to_width, one_line, plain_text};

/// Widest line of a tool call or a folded result.
const LINE_WIDTH: usize = 80;

/// Lines of a failed tool's output that are shown.
const ERROR_LINES: usize = 20;

/// Statuses with which programs begin and end every log.
const FRAME_STATUSES: &[&str] = &["system", "init", "success"];

/// Fields of a tool's input that say what it does, best first.
const TELLING_FIELDS: &[&str] = &[
    "command",
    "file_path",
    "path",
    "notebook_path",
    "pattern",
    "query",
    "url",
    "description",
    "prompt",
];

/// Formats the events of one log, which may continue the text of the previous event.
#[derive(Debug)]
pub(crate) struct LogEventText {
    output: CliOutput,
    /// Whether the last line has no end yet.
    is_line_open: bool,
}

impl LogEventText {
    pub(crate) fn new(output: CliOutput) -> Self {
        Self { output, is_line_open: false }
    }

    /// The event as text; empty if it says nothing to people.
    pub(crate) fn format(&mut self, event: &LogEvent) -> String {
        let continues = event.partial == Some(true) && self.is_line_open;
        let text = event.text.as_deref().unwrap_or_default();
        let formatted = match event.kind {
            LogEventKind::Assistant | LogEventKind::Stdout => {
                let text = plain_lines(text);
                if event.kind == LogEventKind::Assistant {
                    return self.open_line(&text, continues);
                }
                text
            }
            LogEventKind::Thinking => self.dim_line("thinks", &first_line(text)),
            LogEventKind::Stderr => self.output.styled(TextStyle::Warning, &plain_lines(text)),
            LogEventKind::ToolCall => self.format_call(event),
            LogEventKind::ToolResult => self.format_result(event),
            LogEventKind::Status => match event.status.as_deref() {
                Some(status) if !FRAME_STATUSES.contains(&status) => {
                    self.dim_line("status", &one_line(status))
                }
                _ => String::new(),
            },
            LogEventKind::Usage | LogEventKind::Session => String::new(),
        };
        if formatted.is_empty() {
            return String::new();
        }
        format!("{}{formatted}\n", self.close_line())
    }

    /// Ends the last line, if it is open.
    pub(crate) fn close_line(&mut self) -> &'static str {
        if std::mem::take(&mut self.is_line_open) { "\n" } else { "" }
    }

    /// Text of the agent, whose line stays open for a continuation.
    fn open_line(&mut self, text: &str, continues: bool) -> String {
        let before = if continues { "" } else { self.close_line() };
        self.is_line_open = !text.is_empty() || continues;
        format!("{before}{text}")
    }

    fn format_call(&self, event: &LogEvent) -> String {
        let name = one_line(event.name.as_deref().unwrap_or("tool"));
        let input = event.input.as_ref().map(describe_input).unwrap_or_default();
        let room = LINE_WIDTH.saturating_sub(name.width() + 3);
        let input = cut_to_width(&one_line(&input), room);
        let name = self.output.styled(TextStyle::Bold, &name);
        format!("> {name} {input}").trim_end().to_owned()
    }

    fn format_result(&self, event: &LogEvent) -> String {
        let text = plain_lines(event.output.as_deref().unwrap_or_default());
        let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        if event.failed == Some(true) {
            let from = lines.len().saturating_sub(ERROR_LINES);
            let shown = lines.iter().skip(from).map(|line| format!("\n    {line}"));
            let head =
                if from == 0 { String::new() } else { format!(" (the last {ERROR_LINES} lines)") };
            let all = format!("  failed{head}{}", shown.collect::<String>());
            return self.output.styled(TextStyle::Error, &all);
        }
        let Some(first) = lines.first() else { return String::new() };
        let more = match lines.len() {
            1 => String::new(),
            count => format!(" … {} more lines", count - 1),
        };
        let room = LINE_WIDTH.saturating_sub(more.width() + 4);
        let line = format!("    {}{more}", cut_to_width(first.trim(), room));
        self.output.styled(TextStyle::Dim, &line)
    }

    fn dim_line(&self, label: &str, text: &str) -> String {
        let line = cut_to_width(&format!("({label}) {text}"), LINE_WIDTH);
        self.output.styled(TextStyle::Dim, &line)
    }
}

fn plain_lines(text: &str) -> String {
    plain_text(&strip_escapes(text))
}

fn first_line(text: &str) -> String {
    one_line(text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default())
}

/// The field of a tool's input that says what it does; otherwise the whole input.
fn describe_input(input: &Value) -> String {
    let telling = TELLING_FIELDS.iter().find_map(|field| input.get(field)?.as_str());
    match (telling, input) {
        (Some(text), _) => text.to_owned(),
        (None, Value::Object(fields)) if fields.is_empty() => String::new(),
        (None, Value::String(text)) => text.clone(),
        (None, other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use serde_json::json;

    use super::*;

    fn text_of(events: Value) -> String {
        let mut text = LogEventText::new(CliOutput::plain());
        let mut all = String::new();
        for (place, mut event) in events.as_array().expect("events").iter().cloned().enumerate() {
            event["seq"] = json!(place + 1);
            all.push_str(&text.format(&serde_json::from_value(event).expect("an event")));
        }
        all.push_str(text.close_line());
        all
    }

    #[test]
    fn s_4_events_are_readable() {
        let long = "line\n".repeat(30);
        let text = text_of(json!([
            { "kind": "session", "id": "s-1" },
            { "kind": "thinking", "text": "First\nsecond" },
            { "kind": "assistant", "text": "I look " },
            { "kind": "assistant", "text": "at the file.", "partial": true },
            { "kind": "tool_call", "name": "Bash", "input": { "command": "cargo test\n--all" } },
            { "kind": "tool_result", "output": "ok\nfine\nwell\n", "failed": false },
            { "kind": "tool_call", "name": "Other", "input": { "depth": 2 } },
            { "kind": "tool_result", "output": long, "failed": true },
            { "kind": "stderr", "text": "\u{1b}[31mwarning\u{1b}[0m: odd" },
            { "kind": "usage", "input_tokens": 1, "output_tokens": 2 },
        ]));
        let shown: Vec<_> = text.lines().take(7).collect();
        let expected = [
            "(thinks) First",
            "I look at the file.",
            "> Bash cargo test --all",
            "    ok … 2 more lines",
            "> Other {\"depth\":2}",
            "  failed (the last 20 lines)",
            "    line",
        ];
        assert_eq!(shown, expected, "{text}");
        assert!(text.ends_with("    line\nwarning: odd\n"), "{text}");
        assert_eq!(text.lines().count(), 27, "{text}");
    }

    #[test]
    fn s_4_calls_and_folded_results_fit_80_columns() {
        let wide = "日本語".repeat(60);
        let text = text_of(json!([
            { "kind": "tool_call", "name": "Write", "input": { "file_path": wide } },
            { "kind": "tool_result", "output": format!("{wide}\nmore\n") },
            { "kind": "thinking", "text": wide },
        ]));
        assert!(text.lines().all(|line| line.width() <= LINE_WIDTH), "{text}");
    }
}
