//! Reads JSON lines by the rules of an adapter.

use crate::stream::event_collector::EventCollector;
use crate::stream::stream_parser::{count_at, string_at, text_of, unknown_event};
use crate::stream::transcript_event::{ReportedUsage, TranscriptEvent, TranscriptEventBody};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The event that a matching line becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RuleOutput {
    Assistant,
    Thinking,
    ToolCall,
    ToolResult,
    Usage,
    Session,
    Status,
    Error,
    Refused,
    Final,
}

/// One of an adapter's `[[events]]`. Every matching rule makes one event of the line; the paths are JSON pointers.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "StoredRule")]
pub(crate) struct MapRule(StoredRule);

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredRule {
    when: BTreeMap<String, String>,
    kind: RuleOutput,
    text: Option<String>,
    id: Option<String>,
    name: Option<String>,
    input: Option<String>,
    output: Option<String>,
    #[serde(default)]
    input_tokens: TokenPaths,
    #[serde(default)]
    output_tokens: TokenPaths,
    cached_tokens: Option<String>,
    total_tokens: Option<String>,
    cost_usd: Option<String>,
    /// The rule matches only if its text has one of these phrases, in any case.
    #[serde(default)]
    contains: Vec<String>,
    /// Strings that mark a failed result.
    #[serde(default)]
    failed: BTreeMap<String, String>,
    /// The text continues the text before.
    #[serde(default)]
    partial: bool,
    /// Numbers add to earlier ones.
    #[serde(default)]
    adds: bool,
    /// An error that ends the execution.
    #[serde(default)]
    fatal: bool,
}

/// Pointers to numbers that are added up.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(untagged)]
enum TokenPaths {
    #[default]
    None,
    One(String),
    Sum(Vec<String>),
}

impl TokenPaths {
    fn paths(&self) -> &[String] {
        match self {
            Self::None => &[],
            Self::One(path) => std::slice::from_ref(path),
            Self::Sum(paths) => paths,
        }
    }

    fn sum(&self, value: &Value) -> u64 {
        self.paths().iter().map(|path| count_at(value, path)).fold(0, u64::saturating_add)
    }
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum MapError {
    #[error("a rule of `[[events]]` needs `when`")]
    NoCondition,
    #[error("{0:?} is not a JSON pointer: it begins with /")]
    NotAPointer(String),
    #[error("a rule for {0} needs {1}")]
    Incomplete(&'static str, &'static str),
}

impl TryFrom<StoredRule> for MapRule {
    type Error = MapError;

    fn try_from(written: StoredRule) -> Result<Self, MapError> {
        if written.when.is_empty() {
            return Err(MapError::NoCondition);
        }
        let named = written.when.keys().chain(written.failed.keys());
        let bad = named.chain(written.paths()).find(|path| !path.starts_with('/'));
        if let Some(bad) = bad {
            return Err(MapError::NotAPointer(bad.clone()));
        }
        let missing = match written.kind {
            RuleOutput::Assistant
            | RuleOutput::Thinking
            | RuleOutput::Error
            | RuleOutput::Refused
            | RuleOutput::Final => written.text.is_none().then_some(("words", "`text`")),
            RuleOutput::ToolCall => written.name.is_none().then_some(("a call", "`name`")),
            RuleOutput::ToolResult => written.output.is_none().then_some(("a result", "`output`")),
            RuleOutput::Session => written.id.is_none().then_some(("a session", "`id`")),
            RuleOutput::Usage => {
                let counts =
                    written.output_tokens != TokenPaths::None || written.total_tokens.is_some();
                (!counts).then_some(("usage", "`output_tokens` or `total_tokens`"))
            }
            RuleOutput::Status => None,
        };
        match missing {
            Some((kind, field)) => Err(MapError::Incomplete(kind, field)),
            None => Ok(Self(written)),
        }
    }
}

impl StoredRule {
    fn paths(&self) -> impl Iterator<Item = &String> {
        [
            &self.text,
            &self.id,
            &self.name,
            &self.input,
            &self.output,
            &self.cached_tokens,
            &self.total_tokens,
            &self.cost_usd,
        ]
        .into_iter()
        .flatten()
        .chain(self.input_tokens.paths())
        .chain(self.output_tokens.paths())
    }

    fn matches(&self, value: &Value) -> bool {
        has_all(value, &self.when) && self.contains_phrase(value)
    }

    fn contains_phrase(&self, value: &Value) -> bool {
        if self.contains.is_empty() {
            return true;
        }
        let text = self.text.as_deref().and_then(|path| value.pointer(path)).map(text_of);
        let low = text.unwrap_or_default().to_lowercase();
        self.contains.iter().any(|phrase| low.contains(phrase.as_str()))
    }

    fn apply(
        &self,
        value: &Value,
        collector: &mut EventCollector,
        sink: &mut dyn FnMut(TranscriptEvent),
    ) {
        let at = |path: &Option<String>| path.as_deref().and_then(|path| value.pointer(path));
        let text = |path| at(path).map(text_of);
        let count = |path: &Option<String>| path.as_deref().map_or(0, |path| count_at(value, path));
        let spoken = || text(&self.text).unwrap_or_default();
        let id = path_string(value, self.id.as_deref());
        let body = match self.kind {
            RuleOutput::Assistant => {
                TranscriptEventBody::Assistant { text: spoken(), partial: self.partial }
            }
            RuleOutput::Thinking => TranscriptEventBody::Thinking { text: spoken() },
            RuleOutput::ToolCall => TranscriptEventBody::ToolCall {
                id,
                name: text(&self.name).unwrap_or_default(),
                input: at(&self.input).cloned().unwrap_or_default(),
            },
            RuleOutput::ToolResult => TranscriptEventBody::ToolResult {
                id,
                output: text(&self.output).or_else(|| text(&self.text)).unwrap_or_default(),
                failed: !self.failed.is_empty() && has_all(value, &self.failed),
            },
            RuleOutput::Usage => {
                let input_tokens = match self.input_tokens.sum(value) {
                    0 => count(&self.total_tokens),
                    tokens => tokens,
                };
                let usage = ReportedUsage {
                    input_tokens,
                    cached_tokens: count(&self.cached_tokens),
                    output_tokens: self.output_tokens.sum(value),
                    cost_usd: at(&self.cost_usd).and_then(Value::as_f64),
                };
                TranscriptEventBody::Usage { usage, adds: self.adds }
            }
            RuleOutput::Session => match id {
                Some(id) => TranscriptEventBody::Session { id },
                None => unknown_event(value.clone()),
            },
            RuleOutput::Status => unknown_event(value.clone()),
            RuleOutput::Error => {
                if self.fatal {
                    collector.set_failed();
                }
                TranscriptEventBody::error(text(&self.text).unwrap_or_else(|| value.to_string()))
            }
            RuleOutput::Refused => {
                let name = text(&self.name);
                let input = at(&self.input).unwrap_or(&Value::Null);
                return collector.record_refusal(
                    id.as_deref(),
                    name.as_deref(),
                    input,
                    &spoken(),
                    sink,
                );
            }
            RuleOutput::Final => {
                collector.set_answer(&spoken());
                unknown_event(value.clone())
            }
        };
        collector.emit(body, sink);
    }
}

/// Whether the value contains all these strings.
fn has_all(value: &Value, wanted: &BTreeMap<String, String>) -> bool {
    wanted.iter().all(|(path, wanted)| {
        value.pointer(path).and_then(Value::as_str).is_some_and(|found| found == wanted)
    })
}

fn path_string(value: &Value, path: Option<&str>) -> Option<String> {
    path.and_then(|path| string_at(value, path))
}

pub(crate) fn read(
    rules: &[MapRule],
    value: Value,
    collector: &mut EventCollector,
    sink: &mut dyn FnMut(TranscriptEvent),
) {
    let mut fitting = rules.iter().filter(|MapRule(rule)| rule.matches(&value)).peekable();
    if fitting.peek().is_none() {
        return collector.emit(unknown_event(value), sink);
    }
    for MapRule(rule) in fitting {
        rule.apply(&value, collector, sink);
    }
}
