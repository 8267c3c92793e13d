//! Resources: a task, its changes, and its logs.

use forge_api::ErrorCode;
use forge_api::actions::{self, Action};
use rmcp::model::{ErrorData, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::{Map, Value, json};

use crate::mcp::caller_session::CallerSession;
use crate::mcp::reply::{ToolRefusal, cut_text, task_output, without_empty};
use crate::mcp::request::{ApiRequest, NamedTask};
use crate::mcp::tool::ToolCall;
use crate::mcp::tool_catalogue::find_tool;

const SCHEME: &str = "forge://task/";
/// The tool whose way to name a task the resources share; every set has it.
const NAMES_TASKS: &str = "forge_get_task_diff";
/// The largest text of a resource, in characters.
const LONGEST_TEXT: usize = 1_000_000;
/// How much of a log one request reads.
const LOG_BYTES: usize = 512 * 1024;
/// How many tasks the list names.
const MOST_LISTED: u32 = 20;

const PARTS: [(&str, &str, &str); 4] = [
    ("", "Task", "application/json"),
    ("/diff", "Changes of a task, as a patch", "text/x-diff"),
    ("/log", "Output of a task's last execution", "text/plain"),
    ("/checks", "Output of a task's last checks", "text/plain"),
];

/// The templates of all resources.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let template = |(part, title, kind): &(&str, &str, &str)| {
        let name = format!("task{}", part.replace('/', "-"));
        ResourceTemplate::new(format!("{SCHEME}{{task}}{part}"), name)
            .with_title(*title)
            .with_mime_type(*kind)
    };
    PARTS.iter().map(template).collect()
}

/// The resources that the caller probably wants: its own task, or the tasks that need a person.
pub(crate) async fn list(session: &CallerSession) -> Vec<Resource> {
    if let Some(owner) = session.caller.execution() {
        let of = |(part, title, kind): &(&str, &str, &str)| {
            Resource::new(format!("{SCHEME}{}{part}", owner.task_id), *title).with_mime_type(*kind)
        };
        return PARTS.iter().map(of).collect();
    }
    let asked = ApiRequest::new(&actions::LIST_NEEDS_PERSON).query("limit", Some(MOST_LISTED));
    let page = session.requests.send(asked).await.unwrap_or_default();
    let text = |task: &Value, name: &str| task[name].as_str().unwrap_or_default().to_owned();
    let of = |task: &Value| {
        let name = format!("{} {}", text(task, "key"), text(task, "title"));
        Resource::new(format!("{SCHEME}{}", text(task, "task_id")), name)
            .with_description(text(task, "message"))
            .with_mime_type("application/json")
    };
    page["items"].as_array().into_iter().flatten().map(of).collect()
}

/// The content of a resource.
pub(crate) async fn read(
    session: &CallerSession,
    uri: &str,
) -> Result<ReadResourceResult, ErrorData> {
    let unknown = || {
        let what = format!(
            "There is no resource `{uri}`. Resources: forge://task/T-12, and below it /diff, /log, /checks."
        );
        ErrorData::resource_not_found(what, Some(json!({ "uri": uri })))
    };
    let path = uri.strip_prefix(SCHEME).ok_or_else(unknown)?;
    let (name, part) = path.split_once('/').unwrap_or((path, ""));
    let tool = find_tool(session.set, NAMES_TASKS).ok_or_else(unknown)?;
    let arguments = Map::from_iter([("task".to_owned(), json!(name))]);
    let call = session.tool_call(tool, &arguments);
    let read = async {
        let task = call.task().await?;
        let (text, kind) = match part {
            "" => (read_task(&call, &task).await?, "application/json"),
            "diff" => (read_patch(&call, &task).await?, "text/x-diff"),
            "log" => (read_output(&call, &task).await?, "text/plain"),
            "checks" => (read_checks(&call, &task).await?, "text/plain"),
            _ => return Ok(None),
        };
        Ok(Some(ResourceContents::text(text, uri).with_mime_type(kind)))
    };
    match read.await {
        Ok(Some(contents)) => Ok(ReadResourceResult::new(vec![contents])),
        Ok(None) => Err(unknown()),
        Err(refusal) => Err(refused(uri, refusal)),
    }
}

fn refused(uri: &str, refusal: ToolRefusal) -> ErrorData {
    let data = json!({ "uri": uri, "code": refusal.code });
    match refusal.code.as_ref() == ErrorCode::NotFound.as_str() {
        true => ErrorData::resource_not_found(refusal.why, Some(data)),
        false => ErrorData::invalid_params(refusal.why, Some(data)),
    }
}

async fn read_task(call: &ToolCall<'_>, task: &NamedTask) -> Result<String, ToolRefusal> {
    let task = call.send(ApiRequest::new(&actions::GET_TASK).at(&task.id)).await?;
    Ok(without_empty(task_output(task)).to_string())
}

async fn read_patch(call: &ToolCall<'_>, task: &NamedTask) -> Result<String, ToolRefusal> {
    let asked = ApiRequest::new(&actions::GET_DIFF).at(&task.id).query("format", Some("patch"));
    let patch = call.send(asked).await?;
    Ok(limited(patch.as_str().unwrap_or_default().to_owned()))
}

async fn read_output(call: &ToolCall<'_>, task: &NamedTask) -> Result<String, ToolRefusal> {
    let execution = call.names().last_execution(task).await?;
    read_pages(call, &actions::GET_EXECUTION_OUTPUT, &execution).await
}

async fn read_checks(call: &ToolCall<'_>, task: &NamedTask) -> Result<String, ToolRefusal> {
    let reviews = ApiRequest::new(&actions::LIST_REVIEWS).at(&task.id);
    let reviews = call.requests.send_for_all(reviews).await?;
    let latest = reviews.iter().max_by_key(|review| review["attempt_number"].as_i64());
    match latest.and_then(|review| review["id"].as_str()) {
        Some(review) => read_pages(call, &actions::GET_REVIEW_LOG, review).await,
        None => Err(ToolRefusal::new("not_found", "The task has not been at a gate yet.")),
    }
}

/// A log from its start, as far as one resource goes.
async fn read_pages(
    call: &ToolCall<'_>,
    action: &'static Action,
    id: &str,
) -> Result<String, ToolRefusal> {
    let (mut text, mut from) = (String::new(), 0);
    while text.len() < LONGEST_TEXT {
        let asked = ApiRequest::new(action).at(id).query("from", Some(from));
        let page = call.send(asked.query("limit", Some(LOG_BYTES))).await?;
        let part = page["text"].as_str().unwrap_or_default();
        text.push_str(part);
        from = page["next"].as_u64().unwrap_or(from);
        if part.is_empty() || page["end"] == true {
            break;
        }
    }
    Ok(limited(text))
}

fn limited(text: String) -> String {
    cut_text(&text, LONGEST_TEXT).unwrap_or(text)
}
