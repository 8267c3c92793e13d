//! JSON lines read by the rules of an adapter.

use super::collector::Collector;
use super::event::{Body, Event, Usage};
use super::parser::{count_at, string_at, text_of, unknown};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// What a matching line becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Becomes {
    Assistant,
    Thinking,
    ToolCall,
    ToolResult,
    Usage,
    Session,
    Status,
    Error,
    Final,
}

/// One of an adapter's `[[events]]`. Every rule that fits a line makes an event of it; the paths are JSON pointers.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "Written")]
pub(crate) struct MapRule(Written);

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    when: BTreeMap<String, String>,
    kind: Becomes,
    text: Option<String>,
    id: Option<String>,
    name: Option<String>,
    input: Option<String>,
    output: Option<String>,
    input_tokens: Option<String>,
    output_tokens: Option<String>,
    cached_tokens: Option<String>,
    total_tokens: Option<String>,
    cost_usd: Option<String>,
    /// Words go on from those before.
    #[serde(default)]
    partial: bool,
    /// Numbers count on top of those before.
    #[serde(default)]
    adds: bool,
    /// An error that the turn does not survive.
    #[serde(default)]
    fatal: bool,
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

impl TryFrom<Written> for MapRule {
    type Error = MapError;

    fn try_from(written: Written) -> Result<Self, MapError> {
        if written.when.is_empty() {
            return Err(MapError::NoCondition);
        }
        let bad = written.when.keys().chain(written.paths()).find(|path| !path.starts_with('/'));
        if let Some(bad) = bad {
            return Err(MapError::NotAPointer(bad.clone()));
        }
        let missing = match written.kind {
            Becomes::Assistant | Becomes::Thinking | Becomes::Error | Becomes::Final => {
                written.text.is_none().then_some(("words", "`text`"))
            }
            Becomes::ToolCall => written.name.is_none().then_some(("a call", "`name`")),
            Becomes::ToolResult => written.output.is_none().then_some(("a result", "`output`")),
            Becomes::Session => written.id.is_none().then_some(("a session", "`id`")),
            Becomes::Usage => {
                let counts = written.output_tokens.is_some() || written.total_tokens.is_some();
                (!counts).then_some(("usage", "`output_tokens` or `total_tokens`"))
            }
            Becomes::Status => None,
        };
        match missing {
            Some((kind, field)) => Err(MapError::Incomplete(kind, field)),
            None => Ok(Self(written)),
        }
    }
}

impl Written {
    fn paths(&self) -> impl Iterator<Item = &String> {
        [
            &self.text,
            &self.id,
            &self.name,
            &self.input,
            &self.output,
            &self.input_tokens,
            &self.output_tokens,
            &self.cached_tokens,
            &self.total_tokens,
            &self.cost_usd,
        ]
        .into_iter()
        .flatten()
    }

    fn fits(&self, value: &Value) -> bool {
        self.when.iter().all(|(path, wanted)| {
            value.pointer(path).and_then(Value::as_str).is_some_and(|found| found == wanted)
        })
    }

    fn apply(&self, value: &Value, collector: &mut Collector, sink: &mut dyn FnMut(Event)) {
        let at = |path: &Option<String>| path.as_deref().and_then(|path| value.pointer(path));
        let text = |path| at(path).map(text_of);
        let count = |path: &Option<String>| path.as_deref().map_or(0, |path| count_at(value, path));
        let spoken = || text(&self.text).unwrap_or_default();
        let id = path_string(value, self.id.as_deref());
        let body = match self.kind {
            Becomes::Assistant => Body::Assistant { text: spoken(), partial: self.partial },
            Becomes::Thinking => Body::Thinking { text: spoken() },
            Becomes::ToolCall => Body::ToolCall {
                id,
                name: text(&self.name).unwrap_or_default(),
                input: at(&self.input).cloned().unwrap_or_default(),
            },
            Becomes::ToolResult => Body::ToolResult {
                id,
                output: text(&self.output).unwrap_or_default(),
                failed: false,
            },
            Becomes::Usage => {
                let input_tokens = match count(&self.input_tokens) {
                    0 => count(&self.total_tokens),
                    tokens => tokens,
                };
                let usage = Usage {
                    input_tokens,
                    cached_tokens: count(&self.cached_tokens),
                    output_tokens: count(&self.output_tokens),
                    cost_usd: at(&self.cost_usd).and_then(Value::as_f64),
                };
                Body::Usage { usage, adds: self.adds }
            }
            Becomes::Session => match id {
                Some(id) => Body::Session { id },
                None => unknown(value.clone()),
            },
            Becomes::Status => unknown(value.clone()),
            Becomes::Error => {
                if self.fatal {
                    collector.fail();
                }
                Body::error(text(&self.text).unwrap_or_else(|| value.to_string()))
            }
            Becomes::Final => {
                collector.declare(&spoken());
                unknown(value.clone())
            }
        };
        collector.emit(body, sink);
    }
}

fn path_string(value: &Value, path: Option<&str>) -> Option<String> {
    path.and_then(|path| string_at(value, path))
}

pub(super) fn read(
    rules: &[MapRule],
    value: Value,
    collector: &mut Collector,
    sink: &mut dyn FnMut(Event),
) {
    let mut fitting = rules.iter().filter(|MapRule(rule)| rule.fits(&value)).peekable();
    if fitting.peek().is_none() {
        return collector.emit(unknown(value), sink);
    }
    for MapRule(rule) in fitting {
        rule.apply(&value, collector, sink);
    }
}
