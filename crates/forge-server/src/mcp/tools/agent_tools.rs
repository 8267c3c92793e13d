//! The tools with which a planner watches agents and cleans up after them.

use forge_api::actions;
use futures::FutureExt;
use serde_json::{Value, json};

use crate::mcp::reply::{ToolOutput, ToolRefusal, task_brief};
use crate::mcp::request::ApiRequest;
use crate::mcp::tool::{ArgumentSpec, ToolCall, ToolEffect, ToolSpec};
use crate::mcp::tools::create_tools::{project, task};
use crate::mcp::tools::tool_outcome::parts;
use crate::mcp::tools::written_tools::PLAN;

/// The fields of a pulse that say how an agent is doing.
const PULSE: [&str; 8] = [
    "last_activity_at",
    "silent_seconds",
    "stalled_since",
    "last_output",
    "current_tool",
    "tokens",
    "files",
    "more_files",
];

pub(super) fn tools() -> Vec<ToolSpec> {
    vec![
        ToolSpec::new(
            "forge_check_agents",
            "Check on agents",
            "For a planner: its subtasks with their states and executions. For a user: agents that run, are stuck or \
             have failed, with evidence and next steps.",
            |call| check_agents(call).boxed(),
        )
        .performs(ToolEffect::Reads, [&actions::CHECK_AGENTS, &actions::LIST_SUBTASKS])
        .answers(json!({ "type": "object" }))
        .in_sets(PLAN),
        ToolSpec::new(
            "forge_agent_pulse",
            "See what an agent does",
            "The last output, current tool, changed files and silence of the agent that works on a task.",
            |call| agent_pulse(call).boxed(),
        )
        .takes([task().required(), project()])
        .performs(ToolEffect::Reads, [&actions::GET_PULSE])
        .answers(json!({ "type": "object", "properties": { "silent_seconds": { "type": "integer" } } }))
        .in_sets(PLAN),
        ToolSpec::new(
            "forge_cleanup",
            "Clean up a workspace",
            "Removes the worktree of a finished task. Uncommitted work is saved first; `dry_run` only says what would \
             happen.",
            |call| clean_up(call).boxed(),
        )
        .takes([task().required(), project(), ArgumentSpec::boolean("dry_run", "")])
        .performs(ToolEffect::Ends, [&actions::CLEAN_WORKSPACE])
        .answers(json!({ "type": "object", "properties": { "verdict": { "type": "string" } } }))
        .in_sets(PLAN),
    ]
}

async fn check_agents(call: &ToolCall<'_>) -> Result<ToolOutput, ToolRefusal> {
    let Some(owner) = call.caller.execution() else {
        let found = call.send(ApiRequest::new(&actions::CHECK_AGENTS)).await?;
        return Ok(ToolOutput::from_answer(found));
    };
    let subtasks = ApiRequest::new(&actions::LIST_SUBTASKS).at(&owner.task_id.to_string());
    let subtasks = call.requests.send_for_all(subtasks).await?;
    let briefs: Vec<_> = subtasks.iter().map(task_brief).collect();
    Ok(ToolOutput::default().with("items", briefs))
}

async fn agent_pulse(call: &ToolCall<'_>) -> Result<ToolOutput, ToolRefusal> {
    let task = call.task().await?;
    let execution = call.names().last_execution(&task).await?;
    let pulse = call.send(ApiRequest::new(&actions::GET_PULSE).at(&execution)).await?;
    let shown = ToolOutput::from_answer(parts(&pulse, &PULSE));
    let shown =
        shown.with("execution", execution).with("status", pulse["execution"]["status"].clone());
    Ok(shown.link(task.uri("log"), "The whole log"))
}

async fn clean_up(call: &ToolCall<'_>) -> Result<ToolOutput, ToolRefusal> {
    let task = call.task().await?;
    let body = Value::Object(call.given(&["dry_run"]));
    let asked = ApiRequest::new(&actions::CLEAN_WORKSPACE).at(&task.id).body(body);
    Ok(ToolOutput::from_answer(call.send(asked).await?))
}
