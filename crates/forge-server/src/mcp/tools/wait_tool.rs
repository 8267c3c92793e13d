//! The tool that waits for the work that others start.

use std::time::Duration;

use forge_api::{TaskPhase, actions};
use forge_store::WakeChannel;
use futures::FutureExt;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::mcp::reply::{ToolOutput, ToolRefusal, task_brief};
use crate::mcp::request::ApiRequest;
use crate::mcp::tool::{ArgumentSpec, ToolCall, ToolEffect, ToolSpec};
use crate::mcp::tools::create_tools::project;
use crate::mcp::tools::written_tools::DIRECT;

/// Longer than clients wait for an answer by default, so that callers who know better can use it.
const LONGEST_WAIT: i64 = 600;
const USUAL_WAIT: i64 = 45;
const MOST_TASKS: usize = 20;
/// Events that follow each other closely cause one look at the tasks.
const PAUSE: Duration = Duration::from_millis(100);

pub(super) fn tools() -> Vec<ToolSpec> {
    vec![
        ToolSpec::new(
            "forge_wait",
            "Wait for tasks",
            "Waits until each task (with `any`: one of them) is `idle`: no agent works on it and the server does \
             nothing for it; or `ended`: it has ended or needs a person; or `changed`. `reached` says whether that was \
             so before the deadline; if not, call it again. Ending the wait stops nothing.",
            |call| wait(call).boxed(),
        )
        .takes([
            ArgumentSpec::text_list("tasks", "Keys or ids").required(),
            project(),
            ArgumentSpec::choice("until", &["idle", "ended", "changed"], "Default: idle"),
            ArgumentSpec::boolean("any", ""),
            ArgumentSpec::integer("seconds", 0, LONGEST_WAIT, "Deadline; default: 45"),
        ])
        .performs(ToolEffect::Reads, [&actions::GET_TASK])
        .answers(json!({
            "type": "object",
            "properties": { "reached": { "type": "boolean" }, "tasks": { "type": "array" } },
        }))
        .in_sets(DIRECT),
    ]
}

async fn wait(call: &ToolCall<'_>) -> Result<ToolOutput, ToolRefusal> {
    let seconds = u64::try_from(call.integer("seconds").unwrap_or(USUAL_WAIT)).unwrap_or_default();
    let deadline = Instant::now() + Duration::from_secs(seconds);
    let mut ids = Vec::new();
    for name in call.texts("tasks").into_iter().take(MOST_TASKS) {
        ids.push(call.names().task(Some(name)).await?.id);
    }
    // Subscribed before the first look, so that no change is missed.
    let mut wakes = call.app.engine.db().subscribe(WakeChannel::Events);
    let before = read_tasks(call, &ids).await?;
    let mut now = before.clone();
    loop {
        let mut states = now.iter().zip(&before).map(|(now, before)| is_reached(call, now, before));
        let is_over = match call.is_set("any") {
            true => states.any(|reached| reached),
            false => states.all(|reached| reached),
        };
        if is_over || Instant::now() >= deadline || call.app.stop.is_cancelled() {
            let tasks: Vec<_> = now.iter().map(task_brief).collect();
            return Ok(ToolOutput::default().with("reached", is_over).with("tasks", tasks));
        }
        tokio::select! {
            woken = wakes.next() => match woken {
                Some(_) => drop(tokio::time::timeout(PAUSE, call.app.stop.cancelled()).await),
                // The database is closed: there is nothing to wait for any more.
                None => call.app.stop.cancelled().await,
            },
            () = tokio::time::sleep_until(deadline) => {}
            () = call.app.stop.cancelled() => {}
        }
        now = read_tasks(call, &ids).await?;
    }
}

async fn read_tasks(call: &ToolCall<'_>, ids: &[String]) -> Result<Vec<Value>, ToolRefusal> {
    let mut tasks = Vec::with_capacity(ids.len());
    for id in ids {
        tasks.push(call.send(ApiRequest::new(&actions::GET_TASK).at(id)).await?);
    }
    Ok(tasks)
}

fn is_reached(call: &ToolCall<'_>, now: &Value, before: &Value) -> bool {
    match call.text("until") {
        Some("changed") => now["version"] != before["version"] || now["status"] != before["status"],
        Some("ended") => {
            now["phase"] == json!(TaskPhase::Done) || !now["error_annotation"].is_null()
        }
        _ => now["busy"].is_null(),
    }
}
