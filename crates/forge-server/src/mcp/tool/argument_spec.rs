//! An argument of a tool.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

/// One argument of a tool.
#[derive(Debug, Clone)]
pub(crate) struct ArgumentSpec {
    pub(crate) name: Cow<'static, str>,
    pub(crate) kind: ArgumentKind,
    pub(crate) required: bool,
    /// The help for the caller; empty if the name says it all.
    pub(crate) help: Cow<'static, str>,
    /// A value that shows the form; the corrected call of a call without the argument contains it.
    pub(crate) example: Option<Value>,
    /// The length of the longest text that the API accepts, for the corrected call.
    pub(crate) longest: Option<usize>,
}

/// The kind of value that an argument takes.
#[derive(Debug, Clone)]
pub(crate) enum ArgumentKind {
    /// Any text, and names that are looked up.
    Text,
    /// A whole number within bounds.
    Integer { least: i64, most: i64 },
    /// `true` or `false`.
    Boolean,
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// A list of texts.
    TextList,
    /// A value with a schema of its own, from the description of the API.
    Schema(Value),
}

impl ArgumentSpec {
    fn new(name: &'static str, kind: ArgumentKind, help: &'static str) -> Self {
        Self {
            name: name.into(),
            kind,
            required: false,
            help: help.into(),
            example: None,
            longest: None,
        }
    }

    /// An optional text.
    pub(crate) fn text(name: &'static str, help: &'static str) -> Self {
        Self::new(name, ArgumentKind::Text, help)
    }

    /// An optional whole number.
    pub(crate) fn integer(name: &'static str, least: i64, most: i64, help: &'static str) -> Self {
        Self::new(name, ArgumentKind::Integer { least, most }, help)
    }

    /// An optional yes or no.
    pub(crate) fn boolean(name: &'static str, help: &'static str) -> Self {
        Self::new(name, ArgumentKind::Boolean, help)
    }

    /// An optional word of a list.
    pub(crate) fn choice(
        name: &'static str,
        words: &'static [&'static str],
        help: &'static str,
    ) -> Self {
        Self::new(name, ArgumentKind::Choice(words), help)
    }

    /// An optional list of texts.
    pub(crate) fn text_list(name: &'static str, help: &'static str) -> Self {
        Self::new(name, ArgumentKind::TextList, help)
    }

    /// Makes it required.
    #[must_use]
    pub(crate) fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Sets the example.
    #[must_use]
    pub(crate) fn example(mut self, example: impl Into<Value>) -> Self {
        self.example = Some(example.into());
        self
    }

    /// Sets the length of the longest accepted text.
    #[must_use]
    pub(crate) fn longest(mut self, characters: usize) -> Self {
        self.longest = Some(characters);
        self
    }

    /// The JSON schema of its value.
    pub(crate) fn schema(&self) -> Value {
        let mut schema = match &self.kind {
            ArgumentKind::Text => json!({ "type": "string" }),
            ArgumentKind::Integer { least, most } => {
                json!({ "type": "integer", "minimum": least, "maximum": most })
            }
            ArgumentKind::Boolean => json!({ "type": "boolean" }),
            ArgumentKind::Choice(words) => json!({ "type": "string", "enum": words }),
            ArgumentKind::TextList => json!({ "type": "array", "items": { "type": "string" } }),
            ArgumentKind::Schema(schema) => schema.clone(),
        };
        if let Some(object) = schema.as_object_mut()
            && !self.help.is_empty()
        {
            object.insert("description".to_owned(), json!(self.help));
        }
        schema
    }
}

/// The JSON schema of an object with these arguments and no others.
pub(crate) fn arguments_schema(arguments: &[ArgumentSpec]) -> Map<String, Value> {
    let properties: Map<_, _> = arguments
        .iter()
        .map(|argument| (argument.name.clone().into_owned(), argument.schema()))
        .collect();
    let required: Vec<_> =
        arguments.iter().filter(|argument| argument.required).map(|one| &one.name).collect();
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema.insert("additionalProperties".to_owned(), json!(false));
    schema
}
