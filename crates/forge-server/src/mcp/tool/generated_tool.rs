//! Tools that are generated from the list of actions: one for each action that no written tool performs.

use forge_api::actions::{ACTIONS, Action, ActionMethod, ScopeObject};
use serde_json::{Map, Value, json};

use crate::mcp::reply::{LARGEST_RESULT, ToolOutput, ToolRefusal, without_empty};
use crate::mcp::request::ApiRequest;
use crate::mcp::tool::argument_spec::{ArgumentKind, ArgumentSpec};
use crate::mcp::tool::schema_document::{DescribedField, SchemaDocument};
use crate::mcp::tool::tool_call::ToolCall;
use crate::mcp::tool::tool_spec::{ToolEffect, ToolPerformance, ToolSpec};
use crate::mcp::tool_catalogue::exclusion;
use crate::mcp::tool_set::ToolSet;

/// Descriptions are cut here: clients cut them at 2 KB without a word.
const LONGEST_DESCRIPTION: usize = 1_500;
/// Items of a page, unless the caller names a number.
const USUAL_ITEMS: u64 = 20;

/// The requests of a generated tool.
#[derive(Debug, Clone)]
pub(crate) struct GeneratedCall {
    action: &'static Action,
    path: Vec<PathValue>,
    query: Vec<String>,
    body: Vec<String>,
    waits: bool,
}

/// Where a value of the path comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
enum PathValue {
    Task(&'static str),
    Project,
    Execution,
    Agent,
    Repo,
    /// The argument of this name as it is.
    Plain(String),
}

/// The tools of all actions that the written tools do not perform and that are not excluded.
pub(crate) fn generated_tools(written: &[ToolSpec]) -> Vec<ToolSpec> {
    let document = SchemaDocument::of_routes();
    let is_written =
        |action: &Action| written.iter().flat_map(|tool| &tool.actions).any(|done| *done == action);
    ACTIONS
        .iter()
        .filter(|action| !is_written(action) && exclusion(action).is_none())
        .filter(|action| document.answers_json(action))
        .map(|action| generated_tool(&document, action))
        .collect()
}

fn generated_tool(document: &SchemaDocument, action: &'static Action) -> ToolSpec {
    let path: Vec<_> = path_values(action);
    let mut arguments: Vec<_> = path.iter().flat_map(path_arguments).collect();
    let (query, body) = (document.query(action), document.body(action));
    for field in query.iter().chain(&body) {
        arguments.push(field_argument(field));
    }
    let mut seen = Vec::new();
    arguments.retain(|argument: &ArgumentSpec| {
        let is_new = !seen.contains(&argument.name);
        seen.push(argument.name.clone());
        is_new
    });
    let title = document.title(action);
    let mut description = format!("{title}. {}", document.help(action)).trim_end().to_owned();
    if let Some((end, _)) = description.char_indices().nth(LONGEST_DESCRIPTION) {
        description.truncate(end);
    }
    let names = |fields: Vec<DescribedField>| fields.into_iter().map(|field| field.name).collect();
    let generated = GeneratedCall {
        action,
        path,
        query: names(query),
        body: names(body),
        waits: !document.can_answer_at_once(action),
    };
    ToolSpec {
        name: format!("forge_{}", action.name).into(),
        title: title.into(),
        description: description.into(),
        arguments,
        output: document.output(action),
        effect: effect(action),
        actions: vec![action],
        sets: &[ToolSet::All],
        performance: ToolPerformance::Generated(generated),
    }
}

fn effect(action: &Action) -> ToolEffect {
    let ends = ["clean", "reset", "remove", "delete", "archive", "restore"];
    match action.method {
        ActionMethod::Get => ToolEffect::Reads,
        ActionMethod::Delete => ToolEffect::Ends,
        ActionMethod::Post if ends.iter().any(|word| action.name.starts_with(word)) => {
            ToolEffect::Ends
        }
        ActionMethod::Post => ToolEffect::Adds,
        ActionMethod::Put | ActionMethod::Patch => ToolEffect::Sets,
    }
}

fn path_values(action: &Action) -> Vec<PathValue> {
    let names = action
        .path
        .split('/')
        .filter_map(|part| part.strip_prefix('{').and_then(|part| part.strip_suffix('}')));
    names
        .enumerate()
        .map(|(index, name)| match (index, action.scope.object, name) {
            (0, ScopeObject::Task, _) => PathValue::Task("task"),
            (0, ScopeObject::Project, _) => PathValue::Project,
            (0, ScopeObject::Execution, _) => PathValue::Execution,
            (0, ScopeObject::Review, _) => PathValue::Plain("review_id".to_owned()),
            (0, ScopeObject::Server, _) if action.path.starts_with("/agents/") => PathValue::Agent,
            (_, _, "other") => PathValue::Task("other"),
            (_, _, "repo") => PathValue::Repo,
            (_, _, name) => PathValue::Plain(name.to_owned()),
        })
        .collect()
}

fn path_arguments(value: &PathValue) -> Vec<ArgumentSpec> {
    let task = |name| ArgumentSpec::text(name, "Key such as T-12, or id");
    let project = || ArgumentSpec::text("project", "Slug; default: your only one");
    match value {
        PathValue::Task(name) => vec![task(name).required(), project()],
        PathValue::Project => vec![project()],
        PathValue::Execution => vec![
            ArgumentSpec::text("execution", "Default: the last one of `task`"),
            task("task"),
            project(),
        ],
        PathValue::Agent => vec![ArgumentSpec::text("agent", "Name or id").required()],
        PathValue::Repo => vec![ArgumentSpec::text("repo", "Name or id").required()],
        PathValue::Plain(name) => {
            let is_number = ["number", "attempt"].contains(&name.as_str());
            let argument = match is_number {
                true => ArgumentSpec::integer("", 0, i64::MAX, ""),
                false => ArgumentSpec::text("", ""),
            };
            vec![ArgumentSpec { name: name.clone().into(), ..argument }.required()]
        }
    }
}

/// The argument for a field. A value with one simple form is checked before the request.
fn field_argument(field: &DescribedField) -> ArgumentSpec {
    let schema = &field.schema;
    let kind = match schema["type"].as_str() {
        Some("string") if schema["enum"].is_null() => ArgumentKind::Text,
        Some("integer") => ArgumentKind::Integer {
            least: schema["minimum"].as_i64().unwrap_or(i64::MIN),
            most: schema["maximum"].as_i64().unwrap_or(i64::MAX),
        },
        Some("boolean") => ArgumentKind::Boolean,
        _ => ArgumentKind::Schema(schema.clone()),
    };
    let longest = schema["maxLength"].as_u64().and_then(|longest| longest.try_into().ok());
    ArgumentSpec {
        name: field.name.clone().into(),
        kind,
        required: field.required,
        help: field.help.clone().into(),
        example: None,
        longest,
    }
}

impl GeneratedCall {
    /// Performs the request of the action.
    pub(crate) async fn perform(&self, call: &ToolCall<'_>) -> Result<ToolOutput, ToolRefusal> {
        let mut asked = ApiRequest::new(self.action);
        let mut project = None;
        for value in &self.path {
            let value = match value {
                PathValue::Task(name) => call.names().task(call.text(name)).await?.id,
                PathValue::Project => {
                    let id = call.names().project(call.text("project")).await?.id;
                    project.insert(id).clone()
                }
                PathValue::Execution => call.names().execution().await?,
                PathValue::Agent => {
                    call.names().agent(call.text("agent").unwrap_or_default()).await?
                }
                PathValue::Repo => {
                    let name = call.text("repo").unwrap_or_default();
                    call.names().repo(project.as_deref().unwrap_or_default(), name).await?
                }
                PathValue::Plain(name) => as_text(call.arguments.get(name)).unwrap_or_default(),
            };
            asked = asked.at(&value);
        }
        let is_page = self.query.iter().any(|name| name == "cursor");
        for name in self.query.iter().filter(|name| !is_page || *name != "limit") {
            asked = asked.query(name, as_text(call.arguments.get(name)));
        }
        if !self.body.is_empty() {
            asked = asked.body(Value::Object(self.resolved_body(call, project.as_deref()).await?));
        }
        if !self.waits {
            asked = asked.without_waiting();
        }
        match is_page {
            true => fetch_page(call, asked).await,
            false => Ok(ToolOutput::from_answer(call.send(asked).await?)),
        }
    }

    /// The fields of the body, with identifiers in the place of names.
    async fn resolved_body(
        &self,
        call: &ToolCall<'_>,
        project: Option<&str>,
    ) -> Result<Map<String, Value>, ToolRefusal> {
        let names = call.names();
        let mut body = Map::new();
        for field in &self.body {
            let Some(given) = call.arguments.get(field) else { continue };
            let value = match (field.as_str(), given.as_str()) {
                ("agent_id" | "fallback", Some(name)) => json!(names.agent(name).await?),
                ("parent" | "depends_on_id", Some(name)) => json!(names.task(Some(name)).await?.id),
                ("project_id", Some(name)) => json!(names.project(Some(name)).await?.id),
                ("repo_id", Some(name)) => {
                    json!(names.repo(project.unwrap_or_default(), name).await?)
                }
                _ => given.clone(),
            };
            body.insert(field.clone(), value);
        }
        Ok(body)
    }
}

/// A page of a list, with fewer items if it would be too large.
async fn fetch_page(call: &ToolCall<'_>, asked: ApiRequest) -> Result<ToolOutput, ToolRefusal> {
    let given = call.arguments.get("limit").and_then(Value::as_u64);
    let mut limit = given.unwrap_or(USUAL_ITEMS);
    loop {
        let page = call.send(asked.clone().query("limit", Some(limit))).await?;
        let page = without_empty(page);
        if limit <= 1 || page.to_string().len() <= LARGEST_RESULT {
            return Ok(ToolOutput::from_answer(page));
        }
        limit /= 2;
    }
}

fn as_text(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}
