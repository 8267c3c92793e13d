//! The result of a successful call.

use serde_json::{Map, Value, json};

use crate::mcp::reply::result_size::without_empty;

/// A JSON object, and links to what it leaves out.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ToolOutput {
    pub(crate) value: Map<String, Value>,
    pub(crate) links: Vec<ResourceLink>,
}

/// A link to a resource of this server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ResourceLink {
    pub(crate) uri: String,
    pub(crate) name: String,
}

impl ToolOutput {
    /// A result from an answer of the API. A list becomes the `items` of an object, and no content an empty object.
    pub(crate) fn from_answer(answer: Value) -> Self {
        let value = match without_empty(answer) {
            Value::Object(object) => object,
            Value::Null => Map::new(),
            Value::Array(items) => object_with("items", json!(items)),
            other => object_with("text", other),
        };
        Self { value, links: Vec::new() }
    }

    /// Adds a field to the result.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.value.insert(name.to_owned(), value.into());
        self
    }

    /// Adds a link to the result.
    #[must_use]
    pub(crate) fn link(mut self, uri: String, name: impl Into<String>) -> Self {
        self.links.push(ResourceLink { uri, name: name.into() });
        self
    }
}

fn object_with(name: &str, value: Value) -> Map<String, Value> {
    Map::from_iter([(name.to_owned(), value)])
}
