//! The tool by which an agent asks the person in charge of its task (T-27).

use forge_api::actions;
use futures::FutureExt;
use serde_json::{Value, json};

use crate::mcp::reply::{ToolOutput, ToolRefusal};
use crate::mcp::request::ApiRequest;
use crate::mcp::tool::{ArgumentSpec, ToolCall, ToolEffect, ToolSpec};
use crate::mcp::tools::create_tools::{project, task};
use crate::mcp::tools::written_tools::RUN;

const NEXT: &str = "End your turn if you need the answer to go on: it reaches you as a message.";

pub(super) fn tools() -> Vec<ToolSpec> {
    vec![
        ToolSpec::new(
            "forge_ask",
            "Ask a question",
            "Asks the person in charge. The task waits for the answer, which reaches you while you work if your program \
             can receive messages, otherwise as your next turn.",
            |call| ask(call).boxed(),
        )
        .takes([
            ArgumentSpec::text("text", "")
                .required()
                .example("Which of the two formats should the export use?")
                .longest(20_000),
            task(),
            project(),
        ])
        .performs(ToolEffect::Adds, [&actions::ASK_QUESTION])
        .answers(json!({ "type": "object", "properties": {
            "number": { "type": "integer" }, "status": { "type": "string" }, "next": { "type": "string" },
        } }))
        .in_sets(RUN),
    ]
}

async fn ask(call: &ToolCall<'_>) -> Result<ToolOutput, ToolRefusal> {
    let task = call.task().await?;
    let body = Value::Object(call.given(&["text"]));
    let asked = call.send(ApiRequest::new(&actions::ASK_QUESTION).at(&task.id).body(body)).await?;
    let output = ToolOutput::default().with("number", asked["number"].clone());
    Ok(output.with("status", asked["status"].clone()).with("next", json!(NEXT)))
}
