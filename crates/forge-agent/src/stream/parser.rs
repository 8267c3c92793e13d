//! From bytes to events.

use super::claude;
use super::codex;
use super::collector::Collector;
use super::event::{Body, Event};
use super::lines::{Line, Lines};
use super::map;
use super::summary::TurnSummary;
use crate::adapter::{Adapter, Format};
use forge_domain::{Ending, Timestamp};
use serde_json::Value;

/// Which of the program's streams bytes come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Its standard output; also where both come as one.
    Stdout,
    /// Its standard error.
    Stderr,
}

const LONGEST_LINE: usize = 1 << 20;

/// Reads one turn. Nothing that a program prints stops it: what is not understood is kept as it is.
#[derive(Debug)]
pub struct Parser<'a> {
    adapter: &'a Adapter,
    stdout: Lines,
    stderr: Lines,
    reading: Reading<'a>,
}

/// What understands a line.
#[derive(Debug)]
struct Reading<'a> {
    adapter: &'a Adapter,
    collector: Collector,
    claude: claude::Memory,
}

impl<'a> Parser<'a> {
    /// A parser for what this adapter's program prints.
    pub fn new(adapter: &'a Adapter) -> Self {
        let (collector, claude) = (Collector::default(), claude::Memory::default());
        Self {
            adapter,
            stdout: Lines::new(LONGEST_LINE),
            stderr: Lines::new(LONGEST_LINE),
            reading: Reading { adapter, collector, claude },
        }
    }

    /// Takes the next bytes, cut anywhere.
    pub fn feed(&mut self, source: Source, bytes: &[u8], sink: &mut dyn FnMut(Event)) {
        let reading = &mut self.reading;
        match source {
            Source::Stdout => self.stdout.push(bytes, |line| reading.stdout(line, sink)),
            Source::Stderr => self.stderr.push(bytes, |line| reading.stderr(line, sink)),
        }
    }

    /// Takes the last half lines and says how the turn went.
    pub fn finish(
        mut self,
        ending: Ending,
        now: Timestamp,
        sink: &mut dyn FnMut(Event),
    ) -> TurnSummary {
        if let Some(line) = self.stdout.finish() {
            self.reading.stdout(line, sink);
        }
        if let Some(line) = self.stderr.finish() {
            self.reading.stderr(line, sink);
        }
        self.reading.collector.summary(self.adapter, ending, now)
    }
}

impl Reading<'_> {
    fn stdout(&mut self, line: Line, sink: &mut dyn FnMut(Event)) {
        if line.omitted == 0
            && self.adapter.stream != Format::Text
            && line.text.starts_with('{')
            && let Ok(value @ Value::Object(_)) = serde_json::from_str::<Value>(&line.text)
        {
            return self.object(value, sink);
        }
        let Line { text, omitted } = line;
        self.collector.emit(Body::Stdout { text, omitted }, sink);
    }

    fn stderr(&mut self, line: Line, sink: &mut dyn FnMut(Event)) {
        let Line { text, omitted } = line;
        self.collector.emit(Body::Stderr { text, omitted }, sink);
    }

    fn object(&mut self, value: Value, sink: &mut dyn FnMut(Event)) {
        let collector = &mut self.collector;
        match self.adapter.stream {
            Format::Claude => self.claude.read(value, collector, sink),
            Format::Codex => codex::read(value, collector, sink),
            Format::JsonLines => map::read(&self.adapter.events, value, collector, sink),
            Format::Events => ours(value, collector, sink),
            Format::Text => {}
        }
    }
}

/// An event that the bridge printed.
fn ours(value: Value, collector: &mut Collector, sink: &mut dyn FnMut(Event)) {
    match serde_json::from_value::<Body>(value.clone()) {
        Ok(body) => {
            if body.error_text().is_some() {
                collector.fail();
            }
            collector.emit(body, sink);
        }
        Err(_) => collector.emit(unknown(value), sink),
    }
}

/// An event of a kind that is not known, as it came.
pub(super) fn unknown(value: Value) -> Body {
    let status = value.get("type").and_then(Value::as_str).unwrap_or("unknown").to_owned();
    Body::Status { status, raw: value }
}

/// The text of a value: a string as it is, anything else as JSON.
pub(super) fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The string at a pointer.
pub(super) fn string_at(value: &Value, pointer: &str) -> Option<String> {
    value.pointer(pointer).and_then(Value::as_str).map(str::to_owned)
}

/// The count at a pointer; 0 if there is none.
pub(super) fn count_at(value: &Value, pointer: &str) -> u64 {
    value.pointer(pointer).and_then(Value::as_u64).unwrap_or(0)
}
