//! The tool that reads logs: errors first, then the end.

use forge_api::actions;
use futures::FutureExt;
use serde_json::{Map, Value, json};

use crate::mcp::reply::{LARGEST_RESULT, ToolOutput, ToolRefusal, cut_text};
use crate::mcp::request::{ApiRequest, NamedTask};
use crate::mcp::tool::{ArgumentSpec, ToolCall, ToolEffect, ToolSpec};
use crate::mcp::tools::create_tools::{project, task};
use crate::mcp::tools::tool_outcome::parts;
use crate::mcp::tools::written_tools::EVERY;

/// How many of the last events are searched for errors.
const SEARCHED: usize = 500;
const USUAL_LINES: i64 = 40;
const MOST_LINES: i64 = 200;
/// How many errors a result shows.
const MOST_ERRORS: usize = 15;
/// The longest text of one event, in characters.
const LONGEST_LINE: usize = 600;
/// Room for the lines of one part of a result.
const PART_BYTES: usize = LARGEST_RESULT / 3;
/// The longest output of one check, in characters.
const LONGEST_OUTPUT: usize = 3_000;

/// The fields of an execution that a reader of its log needs.
const EXECUTION: [&str; 6] = ["id", "role", "status", "outcome", "exit_code", "failure"];

pub(super) fn tools() -> Vec<ToolSpec> {
    vec![
        ToolSpec::new(
            "forge_read_log",
            "Read a log",
            "The log of a task's last execution (`agent`) or of its last review (`checks`): errors first, then the \
             end. The linked resource is the whole log.",
            |call| read_log(call).boxed(),
        )
        .takes([
            task(),
            project(),
            ArgumentSpec::choice("source", &["agent", "checks"], "Default: agent"),
            ArgumentSpec::integer("lines", 1, MOST_LINES, "Last events to show"),
            ArgumentSpec::integer("after", 0, i64::MAX, "Show the events after this number instead"),
        ])
        .performs(
            ToolEffect::Reads,
            [
                &actions::GET_EXECUTION,
                &actions::GET_EXECUTION_LOG,
                &actions::GET_EXECUTION_OUTPUT,
                &actions::GET_REVIEW,
                &actions::GET_REVIEW_LOG,
            ],
        )
        .answers(json!({ "type": "object", "properties": { "errors": { "type": "array" } } }))
        .in_sets(EVERY),
    ]
}

async fn read_log(call: &ToolCall<'_>) -> Result<ToolOutput, ToolRefusal> {
    let task = call.task().await?;
    match call.text("source") {
        Some("checks") => read_checks(call, &task).await,
        _ => read_agent_log(call, &task).await,
    }
}

async fn read_agent_log(call: &ToolCall<'_>, task: &NamedTask) -> Result<ToolOutput, ToolRefusal> {
    let id = call.names().last_execution(task).await?;
    let execution = call.send(ApiRequest::new(&actions::GET_EXECUTION).at(&id)).await?;
    let lines = usize::try_from(call.integer("lines").unwrap_or(USUAL_LINES)).unwrap_or_default();
    let log = ApiRequest::new(&actions::GET_EXECUTION_LOG).at(&id);
    let log = match call.integer("after") {
        Some(after) => log.query("after", Some(after)).query("limit", Some(lines)),
        None => log.query("tail", Some(SEARCHED)),
    };
    let page = call.send(log).await?;
    let events = page["events"].as_array().map(Vec::as_slice).unwrap_or_default();
    let errors = events.iter().rev().filter(|event| is_error(event)).take(MOST_ERRORS);
    let errors = within_room(errors.map(line));
    let shown = match call.integer("after") {
        Some(_) => within_room(events.iter().map(line)),
        None => {
            let mut last = within_room(events.iter().rev().take(lines).map(line));
            last.reverse();
            last
        }
    };
    let next = shown.last().map_or(Value::Null, |line| line["seq"].clone());
    Ok(ToolOutput::from_answer(json!({
        "execution": parts(&execution, &EXECUTION),
        "errors": errors,
        "events": shown,
        "next_after": next,
        "end": page["end"],
    }))
    .link(task.uri("log"), "The whole log"))
}

/// The lines as far as they fit, which keeps the first ones.
fn within_room(lines: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut used = 0;
    lines
        .take_while(|line| {
            used += line.to_string().len();
            used <= PART_BYTES
        })
        .collect()
}

fn is_error(event: &Value) -> bool {
    let text = event["text"].as_str().or_else(|| event["status"].as_str()).unwrap_or_default();
    let reports = || {
        let text = text.to_lowercase();
        ["error", "failed", "panic", "fatal"].iter().any(|word| text.contains(word))
    };
    match event["kind"].as_str() {
        Some("tool_result") => event["failed"] == true,
        Some("stderr" | "stdout" | "status") => reports(),
        _ => false,
    }
}

/// An event as one short object.
fn line(event: &Value) -> Value {
    let mut line = Map::new();
    for name in ["seq", "kind", "name", "failed"] {
        line.extend(event.get(name).map(|value| (name.to_owned(), value.clone())));
    }
    let input = || event.get("input").map(Value::to_string);
    let text = ["text", "output", "status"].iter().find_map(|name| event[*name].as_str());
    let text = text.map(str::to_owned).or_else(input).unwrap_or_default();
    line.insert("text".to_owned(), json!(cut_text(&text, LONGEST_LINE).unwrap_or(text)));
    Value::Object(line)
}

async fn read_checks(call: &ToolCall<'_>, task: &NamedTask) -> Result<ToolOutput, ToolRefusal> {
    let reviews = ApiRequest::new(&actions::LIST_REVIEWS).at(&task.id);
    let reviews = call.requests.send_for_all(reviews).await?;
    let latest = reviews.iter().max_by_key(|review| review["attempt_number"].as_i64());
    let Some(review) = latest else {
        return Err(ToolRefusal::new(
            "not_found",
            "The task has not been at a gate yet, so no checks have run.",
        ));
    };
    let steps = review["step_results"].as_array().map(Vec::as_slice).unwrap_or_default();
    let (passed, failed): (Vec<_>, Vec<_>) =
        steps.iter().partition(|step| step["outcome"] == "passed");
    let shown = |step: &&Value| {
        let mut step =
            parts(step, &["command", "outcome", "exit_code", "duration_ms", "output_tail"]);
        let output = step["output_tail"].as_str().unwrap_or_default();
        let characters = output.chars().count();
        if characters > LONGEST_OUTPUT {
            let end: String = output.chars().skip(characters - LONGEST_OUTPUT).collect();
            step["output_tail"] = json!(format!("…{end}"));
        }
        step
    };
    let commands: Vec<_> = passed.iter().map(|step| step["command"].clone()).collect();
    Ok(ToolOutput::from_answer(json!({
        "attempt": review["attempt_number"],
        "status": review["status"],
        "feedback": review["feedback"],
        "errors": within_room(failed.iter().map(shown)),
        "passed": commands,
    }))
    .link(task.uri("checks"), "The whole output of the checks"))
}
