//! The schemas of the API's description, as tools need them: without references, and without the texts of nested
//! fields.

use forge_api::actions::Action;
use serde_json::{Map, Value, json};

use crate::routes::{API, document};

/// Deeper schemas become any value: no caller fills them by hand.
const DEEPEST: usize = 5;

/// The description of the API as JSON.
#[derive(Debug)]
pub(crate) struct SchemaDocument {
    json: Value,
}

/// A field of a body, or a query parameter.
#[derive(Debug, Clone)]
pub(crate) struct DescribedField {
    pub(crate) name: String,
    pub(crate) schema: Value,
    pub(crate) help: String,
    pub(crate) required: bool,
}

impl SchemaDocument {
    /// The description of all routes.
    pub(crate) fn of_routes() -> Self {
        Self { json: serde_json::to_value(document()).unwrap_or_default() }
    }

    fn operation(&self, action: &Action) -> &Value {
        let method = action.method.as_str().to_lowercase();
        &self.json["paths"][format!("{API}{}", action.path)][method]
    }

    /// The first line of the action's description.
    pub(crate) fn title(&self, action: &Action) -> String {
        self.operation(action)["summary"].as_str().unwrap_or(action.name).to_owned()
    }

    /// The description of the action.
    pub(crate) fn help(&self, action: &Action) -> String {
        self.operation(action)["description"].as_str().unwrap_or_default().to_owned()
    }

    /// The query parameters of the action.
    pub(crate) fn query(&self, action: &Action) -> Vec<DescribedField> {
        let parameters = self.operation(action)["parameters"].as_array().into_iter().flatten();
        parameters
            .filter(|parameter| parameter["in"] == "query")
            .map(|parameter| DescribedField {
                name: parameter["name"].as_str().unwrap_or_default().to_owned(),
                schema: self.plain(&parameter["schema"], 0),
                help: parameter["description"].as_str().unwrap_or_default().to_owned(),
                required: parameter["required"] == true,
            })
            .collect()
    }

    /// Whether the action can answer before its work has ended.
    pub(crate) fn can_answer_at_once(&self, action: &Action) -> bool {
        let parameters = self.operation(action)["parameters"].as_array().into_iter().flatten();
        parameters.into_iter().any(|parameter| parameter["name"] == "Prefer")
    }

    /// The fields of the action's body.
    pub(crate) fn body(&self, action: &Action) -> Vec<DescribedField> {
        let body = &self.operation(action)["requestBody"]["content"]["application/json"]["schema"];
        let body = self.resolved(body);
        let required = body["required"].as_array().map(Vec::as_slice).unwrap_or_default();
        let fields = body["properties"].as_object().into_iter().flatten();
        fields
            .map(|(name, schema)| DescribedField {
                name: name.clone(),
                schema: self.plain(schema, 0),
                help: schema["description"].as_str().unwrap_or_default().to_owned(),
                required: required.iter().any(|required| required == name),
            })
            .collect()
    }

    /// Whether every successful answer of the action is JSON or empty.
    pub(crate) fn answers_json(&self, action: &Action) -> bool {
        let mut contents =
            self.successes(action).filter_map(|answer| answer["content"].as_object());
        contents.all(|content| content.is_empty() || content.contains_key("application/json"))
    }

    /// The schema of the action's answer as the result of a tool: only the kinds of the outermost fields.
    pub(crate) fn output(&self, action: &Action) -> Map<String, Value> {
        let mut schemas = self
            .successes(action)
            .map(|answer| self.resolved(&answer["content"]["application/json"]["schema"]));
        let schema = schemas.find(|schema| !schema.is_null()).unwrap_or(&Value::Null);
        let mut output = Map::from_iter([("type".to_owned(), json!("object"))]);
        if schema["type"] == "array" {
            output.insert("properties".to_owned(), json!({ "items": { "type": "array" } }));
        } else if let Some(fields) = schema["properties"].as_object() {
            let kind = |field: &Value| match &self.resolved(field)["type"] {
                Value::Null => json!({}),
                kind => json!({ "type": kind }),
            };
            let fields = fields.iter().map(|(name, field)| (name.clone(), kind(field)));
            output.insert("properties".to_owned(), Value::Object(fields.collect()));
        }
        output
    }

    fn successes(&self, action: &Action) -> impl Iterator<Item = &Value> {
        let answers = self.operation(action)["responses"].as_object().into_iter().flatten();
        answers.filter(|(status, _)| status.starts_with('2')).map(|(_, answer)| answer)
    }

    fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
        name.map_or(schema, |name| &self.json["components"]["schemas"][name])
    }

    /// The schema without references; only the outermost level keeps no text of its own, which the argument has.
    fn plain(&self, schema: &Value, depth: usize) -> Value {
        if depth > DEEPEST {
            return json!({});
        }
        match self.resolved(schema) {
            Value::Object(object) => {
                let plain = object.iter().filter(|(name, _)| !is_text(name, object)).map(
                    |(name, value)| match value {
                        Value::Object(_) | Value::Array(_) => {
                            (name.clone(), self.plain(value, depth + 1))
                        }
                        other => (name.clone(), other.clone()),
                    },
                );
                Value::Object(plain.collect())
            }
            Value::Array(items) => {
                Value::Array(items.iter().map(|item| self.plain(item, depth)).collect())
            }
            other => other.clone(),
        }
    }
}

/// Whether a key of a schema holds a text for readers; a property may have the same name.
fn is_text(name: &str, schema: &Map<String, Value>) -> bool {
    name == "description" && schema.get(name).is_some_and(Value::is_string)
}
