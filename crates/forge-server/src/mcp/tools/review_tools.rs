//! The tools that decide about work at a gate.

use forge_api::{ReviewVerdict, actions};
use futures::FutureExt;
use serde_json::{Value, json};

use crate::mcp::reply::{ToolOutput, ToolRefusal};
use crate::mcp::request::ApiRequest;
use crate::mcp::tool::{ArgumentKind, ArgumentSpec, ToolCall, ToolEffect, ToolSpec};
use crate::mcp::tools::create_tools::{project, task};
use crate::mcp::tools::tool_outcome::{outcome, outcome_schema, parts};
use crate::mcp::tools::written_tools::{BOARD, RUN};

pub(super) fn tools() -> Vec<ToolSpec> {
    vec![
        ToolSpec::new(
            "forge_review",
            "Approve or reject work",
            "Decides about a task at its gate. `reject` sends it back to its agent with the reason, which is then \
             required.",
            |call| review(call).boxed(),
        )
        .takes([
            task().required(),
            ArgumentSpec::choice("decision", &["approve", "reject"], "").required(),
            ArgumentSpec::text("reason", "").longest(100_000),
            ArgumentSpec::integer("attempt", 1, 1_000_000, "Default: the latest"),
            project(),
        ])
        .performs(
            ToolEffect::Sets,
            [&actions::LIST_REVIEWS, &actions::APPROVE_REVIEW, &actions::REJECT_REVIEW],
        )
        .answers(outcome_schema())
        .in_sets(BOARD),
        ToolSpec::new(
            "forge_give_verdict",
            "Give your verdict",
            "The verdict of a reviewing execution. It takes effect when the execution ends; the last one counts. \
             Anything but `pass` needs feedback, which is all that the coder sees.",
            |call| give_verdict(call).boxed(),
        )
        .takes([
            verdict().required(),
            ArgumentSpec::text("feedback", "What to change, or what blocked you").longest(100_000),
            ArgumentSpec::text("execution", "Default: your own"),
            task(),
            project(),
        ])
        .performs(ToolEffect::Sets, [&actions::GIVE_VERDICT])
        .answers(json!({ "type": "object", "properties": { "attempt_number": { "type": "integer" } } }))
        .in_sets(RUN),
    ]
}

fn verdict() -> ArgumentSpec {
    let words = [ReviewVerdict::Pass, ReviewVerdict::Fail, ReviewVerdict::Blocked];
    let schema = json!({ "type": "string", "enum": words });
    ArgumentSpec { kind: ArgumentKind::Schema(schema), ..ArgumentSpec::text("verdict", "") }
}

async fn review(call: &ToolCall<'_>) -> Result<ToolOutput, ToolRefusal> {
    let task = call.task().await?;
    let attempt = match call.integer("attempt") {
        Some(attempt) => attempt,
        None => latest_attempt(call, &task.id).await?,
    };
    let action = match call.text("decision") {
        Some("approve") => &actions::APPROVE_REVIEW,
        _ => &actions::REJECT_REVIEW,
    };
    let body = Value::Object(call.given(&["reason"]));
    let asked = ApiRequest::new(action).at(&task.id).at(&attempt.to_string()).body(body);
    Ok(outcome(call.send(asked).await?))
}

async fn latest_attempt(call: &ToolCall<'_>, task: &str) -> Result<i64, ToolRefusal> {
    let asked = ApiRequest::new(&actions::LIST_REVIEWS).at(task);
    let reviews = call.requests.send_for_all(asked).await?;
    let latest = reviews.iter().filter_map(|review| review["attempt_number"].as_i64()).max();
    latest.ok_or_else(|| {
        ToolRefusal::new(
            "review_over",
            "The task has not been at a gate yet, so there is nothing to decide.",
        )
    })
}

async fn give_verdict(call: &ToolCall<'_>) -> Result<ToolOutput, ToolRefusal> {
    let own = call.caller.execution().filter(|_| call.text("execution").is_none());
    let execution = match own {
        Some(owner) => owner.execution_id.to_string(),
        None => call.names().execution().await?,
    };
    let body = Value::Object(call.given(&["verdict", "feedback"]));
    let asked = ApiRequest::new(&actions::GIVE_VERDICT).at(&execution).body(body);
    let review = call.send(asked).await?;
    Ok(ToolOutput::from_answer(parts(&review, &["id", "attempt_number", "status", "verdict"])))
}
