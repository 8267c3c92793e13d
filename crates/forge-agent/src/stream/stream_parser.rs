//! Parses the output of an agent program into log events.

use crate::adapter::agent_adapter::{AgentAdapter, StreamFormat};
use crate::stream::claude_stream;
use crate::stream::codex_stream;
use crate::stream::event_collector::EventCollector;
use crate::stream::execution_summary::ExecutionSummary;
use crate::stream::line_splitter::{LineSplitter, StreamLine};
use crate::stream::map_rules;
use crate::stream::transcript_event::{TranscriptEvent, TranscriptEventBody};
use forge_domain::{ExecutionEnding, Timestamp};
use serde_json::Value;

/// The output stream that bytes come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamSource {
    /// Standard output, or both streams combined.
    Stdout,
    Stderr,
}

const LONGEST_LINE: usize = 1 << 20;

/// Parses the output of one execution. No output stops it: lines that it does not understand are kept unchanged.
#[derive(Debug)]
pub struct StreamParser<'a> {
    adapter: &'a AgentAdapter,
    stdout: LineSplitter,
    stderr: LineSplitter,
    line_reader: LineReader<'a>,
}

/// Parses single lines.
#[derive(Debug)]
struct LineReader<'a> {
    adapter: &'a AgentAdapter,
    collector: EventCollector,
    claude: claude_stream::ClaudeStream,
}

impl<'a> StreamParser<'a> {
    /// A parser for the output of this adapter's program.
    pub fn new(adapter: &'a AgentAdapter) -> Self {
        let collector = EventCollector::default();
        let claude = claude_stream::ClaudeStream::new(adapter.input_includes_cached);
        Self {
            adapter,
            stdout: LineSplitter::new(LONGEST_LINE),
            stderr: LineSplitter::new(LONGEST_LINE),
            line_reader: LineReader { adapter, collector, claude },
        }
    }

    /// Takes the next bytes, split anywhere.
    pub fn feed(
        &mut self,
        source: StreamSource,
        bytes: &[u8],
        sink: &mut dyn FnMut(TranscriptEvent),
    ) {
        let reading = &mut self.line_reader;
        match source {
            StreamSource::Stdout => self.stdout.push(bytes, |line| reading.read_stdout(line, sink)),
            StreamSource::Stderr => self.stderr.push(bytes, |line| reading.read_stderr(line, sink)),
        }
    }

    /// Takes incomplete last lines and returns the summary.
    pub fn finish(
        mut self,
        ending: ExecutionEnding,
        now: Timestamp,
        sink: &mut dyn FnMut(TranscriptEvent),
    ) -> ExecutionSummary {
        if let Some(line) = self.stdout.finish() {
            self.line_reader.read_stdout(line, sink);
        }
        if let Some(line) = self.stderr.finish() {
            self.line_reader.read_stderr(line, sink);
        }
        self.line_reader.collector.into_summary(self.adapter, ending, now)
    }
}

impl LineReader<'_> {
    fn read_stdout(&mut self, line: StreamLine, sink: &mut dyn FnMut(TranscriptEvent)) {
        if line.omitted == 0
            && self.adapter.stream != StreamFormat::Text
            && line.text.starts_with('{')
            && let Ok(value @ Value::Object(_)) = serde_json::from_str::<Value>(&line.text)
        {
            return self.read_object(value, sink);
        }
        let StreamLine { text, omitted } = line;
        self.collector.emit(TranscriptEventBody::Stdout { text, omitted }, sink);
    }

    fn read_stderr(&mut self, line: StreamLine, sink: &mut dyn FnMut(TranscriptEvent)) {
        let StreamLine { text, omitted } = line;
        self.collector.emit(TranscriptEventBody::Stderr { text, omitted }, sink);
    }

    fn read_object(&mut self, value: Value, sink: &mut dyn FnMut(TranscriptEvent)) {
        let collector = &mut self.collector;
        match self.adapter.stream {
            StreamFormat::Claude => self.claude.read_value(value, collector, sink),
            StreamFormat::Codex => codex_stream::read(value, collector, sink),
            StreamFormat::JsonLines => {
                map_rules::read(&self.adapter.events, value, collector, sink)
            }
            StreamFormat::Events => read_bridge_event(value, collector, sink),
            StreamFormat::Text => {}
        }
    }
}

/// An event that the ACP bridge printed.
fn read_bridge_event(
    value: Value,
    collector: &mut EventCollector,
    sink: &mut dyn FnMut(TranscriptEvent),
) {
    match serde_json::from_value::<TranscriptEventBody>(value.clone()) {
        Ok(body) => {
            if body.error_text().is_some() {
                collector.set_failed();
            }
            collector.emit(body, sink);
        }
        Err(_) => collector.emit(unknown_event(value), sink),
    }
}

/// An event of an unknown kind, unchanged.
pub(crate) fn unknown_event(value: Value) -> TranscriptEventBody {
    let status = value.get("type").and_then(Value::as_str).unwrap_or("unknown").to_owned();
    TranscriptEventBody::Status { status, raw: value }
}

/// The text of a value: a string as it is, anything else as JSON.
pub(crate) fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The string at a pointer.
pub(crate) fn string_at(value: &Value, pointer: &str) -> Option<String> {
    value.pointer(pointer).and_then(Value::as_str).map(str::to_owned)
}

/// The count at a pointer; 0 if there is none.
pub(crate) fn count_at(value: &Value, pointer: &str) -> u64 {
    value.pointer(pointer).and_then(Value::as_u64).unwrap_or(0)
}
