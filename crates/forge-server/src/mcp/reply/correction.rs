//! The call that a refused caller should make instead.

use forge_api::actions;
use serde_json::{Map, Value, json};

use crate::mcp::reply::result_size::cut_text;
use crate::mcp::reply::tool_refusal::{Correction, SuggestedCall, ToolRefusal};
use crate::mcp::request::ApiRequest;
use crate::mcp::tool::{ToolCall, nearest_name};
use crate::mcp::tool_set::ToolSet;

/// What a cut text ends with takes this many bytes; the API may count bytes or characters.
const ELLIPSIS_BYTES: usize = 3;

/// The corrected call. If the refusal does not determine one, the call that shows what the caller has to know.
pub(crate) async fn suggest_call(call: &ToolCall<'_>, refusal: &ToolRefusal) -> SuggestedCall {
    match refusal.correction.as_ref() {
        Correction::Call(suggested) => return suggested.clone(),
        Correction::Arguments(arguments) => return same_tool(call, arguments.clone()),
        Correction::FindTask => return find_task(call).await,
        Correction::FindAgent => return find_agent(call).await,
        Correction::ByCode => {}
    }
    match correct_arguments(call, refusal) {
        Some(arguments) if arguments != *call.arguments => same_tool(call, arguments),
        _ => read_instead(call, refusal).await,
    }
}

fn same_tool(call: &ToolCall<'_>, arguments: Map<String, Value>) -> SuggestedCall {
    SuggestedCall::new(call.tool.name.clone(), Value::Object(arguments))
}

/// The arguments with the one that the refusal names corrected.
fn correct_arguments(call: &ToolCall<'_>, refusal: &ToolRefusal) -> Option<Map<String, Value>> {
    let mut arguments = call.arguments.clone();
    let details = &refusal.details;
    match refusal.code.as_ref() {
        "version_conflict" => {
            call.tool.argument("version")?;
            arguments.insert("version".to_owned(), details["actual"].clone());
        }
        "invalid_transition" => {
            let allowed: Vec<_> =
                details["allowed"].as_array()?.iter().filter_map(Value::as_str).collect();
            let given = call.text("status").unwrap_or_default();
            let status = nearest_name(given, allowed.iter().copied()).or(allowed.first().copied());
            call.tool.argument("status")?;
            arguments.insert("status".to_owned(), json!(status?));
        }
        "unknown_role" => {
            call.tool.argument("role")?;
            arguments.insert("role".to_owned(), details["allowed"].get(0)?.clone());
        }
        "unknown_field" => {
            for field in details["fields"].as_array()? {
                arguments.remove(field.as_str()?);
            }
        }
        "body_too_large" => {
            let longest = arguments.values_mut().max_by_key(|value| value.to_string().len())?;
            *longest = json!(cut_text(longest.as_str()?, 10_000)?);
        }
        "invalid_field" | "invalid_name" | "invalid_query" => {
            let path = details["path"].as_str().or_else(|| details["parameter"].as_str())?;
            correct_named(call, &mut arguments, path)?;
        }
        _ => return None,
    }
    Some(arguments)
}

/// Corrects the argument for a field of the API: a text that is too long is cut, otherwise an optional value is left
/// out and a required one replaced by the example.
fn correct_named(
    call: &ToolCall<'_>,
    arguments: &mut Map<String, Value>,
    path: &str,
) -> Option<()> {
    let field = path.split(['.', '[']).next().unwrap_or(path);
    let name = field.strip_suffix("_id").unwrap_or(field);
    let argument = call.tool.argument(field).or_else(|| call.tool.argument(name))?;
    let key = argument.name.as_ref();
    let given = arguments.get(key).and_then(Value::as_str).unwrap_or_default();
    let cut = argument
        .longest
        .and_then(|longest| cut_text(given, longest.saturating_sub(ELLIPSIS_BYTES)));
    match cut.map(Value::String).or_else(|| argument.example.clone().filter(|_| argument.required))
    {
        Some(value) => {
            arguments.insert(key.to_owned(), value);
        }
        None => {
            arguments.remove(key)?;
        }
    }
    Some(())
}

/// A call that reads what the caller has to know: the task that the call is about, or the list that has the name.
async fn read_instead(call: &ToolCall<'_>, refusal: &ToolRefusal) -> SuggestedCall {
    if matches!(call.set, ToolSet::Run | ToolSet::Planner) {
        return find_task(call).await;
    }
    let kind = refusal.details["kind"].as_str().unwrap_or_default();
    match (refusal.code.as_ref(), kind) {
        ("not_found", "agent") => find_agent(call).await,
        ("not_found", "project") => read("projects", json!({})),
        ("agent_paused" | "agent_at_capacity" | "program_missing", _) => read("agents", json!({})),
        ("not_found", _) => find_task(call).await,
        _ => match call.task().await {
            Ok(task) if call.tool.argument("task").is_some() => {
                read("actions", json!({ "task": task.id }))
            }
            _ => find_task(call).await,
        },
    }
}

/// A call that shows the tasks of the caller: its own for an execution, those of the project for a user.
async fn find_task(call: &ToolCall<'_>) -> SuggestedCall {
    if call.caller.execution().is_some() {
        return SuggestedCall::new("forge_show_task", json!({}));
    }
    let project = call.names().project(call.text("project")).await;
    match (project, call.set) {
        (Ok(project), ToolSet::Board | ToolSet::All) => {
            read("tasks", json!({ "project": project.slug }))
        }
        (Ok(project), ToolSet::Run | ToolSet::Planner) => {
            // This set lists no tasks, so the call names the newest one.
            let newest = ApiRequest::new(&actions::LIST_TASKS).at(&project.id);
            let page = call.requests.send(newest.query("limit", Some(1))).await.unwrap_or_default();
            SuggestedCall::new("forge_show_task", json!({ "task": page["items"][0]["id"] }))
        }
        (Err(_), _) => read("projects", json!({})),
    }
}

/// A call that shows the agents.
async fn find_agent(call: &ToolCall<'_>) -> SuggestedCall {
    match call.set {
        ToolSet::Board | ToolSet::All => read("agents", json!({})),
        ToolSet::Run | ToolSet::Planner => find_task(call).await,
    }
}

fn read(what: &str, mut arguments: Value) -> SuggestedCall {
    arguments["what"] = json!(what);
    SuggestedCall::new("forge_read", arguments)
}
