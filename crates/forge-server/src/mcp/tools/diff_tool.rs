//! The tool that reads the changes of a task.

use forge_api::actions;
use futures::FutureExt;
use serde_json::{Value, json};

use crate::mcp::reply::{
    Correction, LARGEST_RESULT, ToolOutput, ToolRefusal, cut_text, without_empty,
};
use crate::mcp::request::ApiRequest;
use crate::mcp::tool::{ArgumentSpec, ToolCall, ToolEffect, ToolSpec, nearest_name};
use crate::mcp::tool_set::ToolSet;
use crate::mcp::tools::create_tools::{project, task};
use crate::mcp::tools::written_tools::EVERY;

/// Room for patches in one result; the rest is for the list of files.
const PATCH_BYTES: usize = LARGEST_RESULT * 2 / 3;
/// The largest patch of one file, in characters.
const LONGEST_PATCH: usize = PATCH_BYTES / 2;
/// How many files one result lists.
const MOST_FILES: usize = 60;

pub(super) fn tools() -> Vec<ToolSpec> {
    let arguments = |task: ArgumentSpec| {
        [
            task,
            project(),
            ArgumentSpec::text("file", "Only this file"),
            ArgumentSpec::text("after", "next_after of the result before"),
            ArgumentSpec::choice("scope", &["all", "branch", "uncommitted"], "Default: all"),
        ]
    };
    let schema = || {
        json!({
            "type": "object",
            "properties": { "files": { "type": "array" }, "next_after": { "type": "string" } },
        })
    };
    vec![
        ToolSpec::new(
            "forge_get_task_diff",
            "Read the changes of a task",
            "The changed files of a task with their patches, as many as fit; `next_after` continues, and the linked \
             resource is the whole patch. An execution may leave out `task`.",
            |call| read_diff(call).boxed(),
        )
        .takes(arguments(task()))
        .performs(ToolEffect::Reads, [&actions::GET_DIFF])
        .answers(schema())
        .in_sets(EVERY),
        ToolSpec::new(
            "forge_agent_diff",
            "Read the changes of a subtask",
            "The changes that the agent of a subtask has made so far, committed or not.",
            |call| read_diff(call).boxed(),
        )
        .takes(arguments(task().required()))
        .performs(ToolEffect::Reads, [&actions::GET_DIFF])
        .answers(schema())
        .in_sets(&PLANNERS_OWN),
    ]
}

/// The set of planners alone: users have the same tool under the name that the seeds give it.
const PLANNERS_OWN: [ToolSet; 1] = [ToolSet::Planner];

async fn read_diff(call: &ToolCall<'_>) -> Result<ToolOutput, ToolRefusal> {
    let task = call.task().await?;
    let asked = ApiRequest::new(&actions::GET_DIFF).at(&task.id);
    let mut diff = call.send(asked.query("scope", call.text("scope"))).await?;
    let files = match diff["files"].take() {
        Value::Array(files) => files,
        _ => Vec::new(),
    };
    let link = |output: ToolOutput| output.link(task.uri("diff"), "The whole patch");
    if let Some(path) = call.text("file") {
        let Some(file) = files.iter().find(|file| file["path"] == path) else {
            return Err(no_file(call, path, &files));
        };
        let patch = file["patch"].as_str().unwrap_or_default();
        let mut file = file.clone();
        if let Some(start) = cut_text(patch, PATCH_BYTES) {
            file["patch"] = json!(start);
            file["patch_is_cut"] = json!(true);
        }
        return Ok(link(ToolOutput::from_answer(json!({ "files": [without_empty(file)] }))));
    }
    let after = call.text("after").unwrap_or_default();
    let mut rest = files.iter().filter(|file| file["path"].as_str().unwrap_or_default() > after);
    let mut shown = Vec::new();
    let mut used = 0;
    let mut next = None;
    for file in rest.by_ref() {
        let (file, size) = shown_file(file, PATCH_BYTES - used.min(PATCH_BYTES));
        used += size;
        next = file["path"].as_str().map(str::to_owned);
        shown.push(file);
        if shown.len() >= MOST_FILES || used >= PATCH_BYTES {
            break;
        }
    }
    let more = rest.next().is_some();
    diff["files"] = json!(shown);
    diff["file_count"] = json!(files.len());
    diff["next_after"] = more.then_some(next).map_or(Value::Null, |next| json!(next));
    Ok(link(ToolOutput::from_answer(diff)))
}

/// The file with its patch, or without it if there is no room, and the bytes that it takes.
fn shown_file(file: &Value, room: usize) -> (Value, usize) {
    let mut file = without_empty(file.clone());
    let patch = file["patch"].as_str().unwrap_or_default();
    if patch.len() > LONGEST_PATCH.min(room) {
        file["patch_left_out"] = json!(patch.len());
        if let Some(object) = file.as_object_mut() {
            object.remove("patch");
        }
    }
    let size = file.to_string().len();
    (file, size)
}

fn no_file(call: &ToolCall<'_>, path: &str, files: &[Value]) -> ToolRefusal {
    let mut arguments = call.arguments.clone();
    let paths = files.iter().filter_map(|file| file["path"].as_str());
    match nearest_name(path, paths) {
        Some(meant) => arguments.insert("file".to_owned(), json!(meant)),
        None => arguments.remove("file"),
    };
    let why =
        format!("The task changes no file `{path}`. Leave `file` out to see all changed files.");
    ToolRefusal::new("not_found", why).with_correction(Correction::Arguments(arguments))
}
