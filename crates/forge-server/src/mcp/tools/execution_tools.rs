//! The tools that stop, restart and instruct a working agent.

use forge_api::actions::{self, Action};
use futures::FutureExt;
use serde_json::Value;

use crate::mcp::reply::{ToolOutput, ToolRefusal};
use crate::mcp::request::ApiRequest;
use crate::mcp::tool::{ArgumentSpec, ToolCall, ToolEffect, ToolSpec};
use crate::mcp::tools::create_tools::{project, task};
use crate::mcp::tools::task_tools::reason;
use crate::mcp::tools::tool_outcome::{outcome, outcome_schema};
use crate::mcp::tools::written_tools::{DIRECT, PLAN};

pub(super) fn tools() -> Vec<ToolSpec> {
    vec![
        ToolSpec::new(
            "forge_steer",
            "Instruct a working agent",
            "Sends a message to the agent of a task: at once if its program can take it, otherwise with its next turn.",
            |call| perform(call, &actions::STEER_EXECUTION, &["message"]).boxed(),
        )
        .takes([
            task().required(),
            ArgumentSpec::text("message", "")
                .required()
                .example("Keep the public interface as it is.")
                .longest(100_000),
            project(),
        ])
        .performs(ToolEffect::Adds, [&actions::STEER_EXECUTION])
        .answers(outcome_schema())
        .in_sets(DIRECT),
        ToolSpec::new(
            "forge_stop",
            "Stop an agent",
            "Stops the agent of a task. Its files and the task's state stay as they are; continue with forge_restart.",
            |call| perform(call, &actions::STOP_EXECUTION, &["reason"]).boxed(),
        )
        .takes([task().required(), project(), reason()])
        .performs(ToolEffect::Ends, [&actions::STOP_EXECUTION])
        .answers(outcome_schema())
        .in_sets(DIRECT),
        ToolSpec::new(
            "forge_restart",
            "Restart an agent",
            "Starts the agent of a task again on the files as they are; `resume` continues its conversation.",
            |call| perform(call, &actions::RESTART_EXECUTION, &["mode"]).boxed(),
        )
        .takes([
            task().required(),
            ArgumentSpec::choice("mode", &["fresh", "resume"], ""),
            project(),
        ])
        .performs(ToolEffect::Adds, [&actions::RESTART_EXECUTION])
        .answers(outcome_schema())
        .in_sets(DIRECT),
        ToolSpec::new(
            "forge_mark_failed",
            "Mark an execution as failed",
            "Ends the execution of a task as failed, when its agent hangs or its result is useless.",
            |call| perform(call, &actions::FAIL_EXECUTION, &["reason"]).boxed(),
        )
        .takes([task().required(), project(), reason()])
        .performs(ToolEffect::Ends, [&actions::FAIL_EXECUTION])
        .answers(outcome_schema())
        .in_sets(PLAN),
    ]
}

async fn perform(
    call: &ToolCall<'_>,
    action: &'static Action,
    fields: &[&str],
) -> Result<ToolOutput, ToolRefusal> {
    let execution = call.names().execution().await?;
    let body = Value::Object(call.given(fields));
    let asked = ApiRequest::new(action).at(&execution).body(body);
    Ok(outcome(call.send(asked).await?))
}
