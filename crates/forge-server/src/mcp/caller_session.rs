//! One caller with its tools: performs calls and shapes their results.

use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::app::AppState;
use crate::caller::Caller;
use crate::mcp::reply::{
    Correction, ResourceLink, SuggestedCall, ToolRefusal, fit_result, suggest_call,
};
use crate::mcp::request::ApiRequests;
use crate::mcp::tool::{ToolCall, ToolEffect, ToolSpec, check_arguments};
use crate::mcp::tool_catalogue::{find_tool, similar_tool};
use crate::mcp::tool_set::ToolSet;

/// How long a call that changes something waits for the work that follows.
const PATIENCE: Duration = Duration::from_secs(20);

/// A caller, its set of tools, and the routes that it may use.
#[derive(Debug, Clone)]
pub(crate) struct CallerSession {
    pub(crate) app: AppState,
    pub(crate) caller: Caller,
    pub(crate) requests: ApiRequests,
    pub(crate) set: ToolSet,
}

/// The result of a call as the protocol sends it.
#[derive(Debug, Clone)]
pub(crate) struct ToolReply {
    pub(crate) value: Value,
    pub(crate) links: Vec<ResourceLink>,
    pub(crate) is_error: bool,
}

impl CallerSession {
    /// Performs a tool. The work continues if the caller goes away before its end.
    pub(crate) async fn call_tool(self, name: String, arguments: Map<String, Value>) -> ToolReply {
        let Some(tool) = find_tool(self.set, &name) else {
            return self.no_tool(&name, arguments);
        };
        let (background, set) = (self.app.background.clone(), self.set);
        let mut work = background.spawn(async move { self.perform(tool, &arguments).await });
        let ended = match tool.effect {
            ToolEffect::Reads => work.await,
            _ => match tokio::time::timeout(PATIENCE, &mut work).await {
                Ok(ended) => ended,
                Err(_) => return still_working(),
            },
        };
        ended.unwrap_or_else(|error| {
            tracing::error!(%error, tool = %name, "tool ended without a result");
            let why = "The server failed. Read the task before you try again.";
            refused(&ToolRefusal::new("internal", why), &start(set))
        })
    }

    async fn perform(self, tool: &ToolSpec, arguments: &Map<String, Value>) -> ToolReply {
        let call = self.tool_call(tool, arguments);
        let result = match check_arguments(tool, arguments) {
            Ok(()) => call.perform().await,
            Err(refusal) => Err(refusal),
        };
        match result {
            Ok(output) => ToolReply {
                value: Value::Object(fit_result(output.value)),
                links: output.links,
                is_error: false,
            },
            Err(refusal) => {
                let suggested = suggest_call(&call, &refusal).await;
                refused(&refusal, &suggested)
            }
        }
    }

    /// A call of a tool of this caller.
    pub(crate) fn tool_call<'a>(
        &'a self,
        tool: &'a ToolSpec,
        arguments: &'a Map<String, Value>,
    ) -> ToolCall<'a> {
        let Self { app, caller, requests, set } = self;
        ToolCall { tool, arguments, set: *set, app, caller, requests }
    }

    fn no_tool(&self, name: &str, arguments: Map<String, Value>) -> ToolReply {
        let (similar, is_elsewhere) = similar_tool(self.set, name);
        let why = match (is_elsewhere, self.caller.execution()) {
            (true, Some(_)) => format!("`{name}` is not a tool for the token of an execution."),
            (true, None) => format!("`{name}` is a tool of the set at /mcp/all."),
            (false, _) => format!("There is no tool `{name}`. List the tools."),
        };
        let refusal = ToolRefusal::new("unknown_tool", why);
        let suggested = match similar {
            Some(similar) => SuggestedCall::new(similar, Value::Object(arguments)),
            None => start(self.set),
        };
        refused(&refusal.with_correction(Correction::Call(suggested.clone())), &suggested)
    }
}

/// The call that shows a caller where to begin.
fn start(set: ToolSet) -> SuggestedCall {
    match set {
        ToolSet::Run | ToolSet::Planner => SuggestedCall::new("forge_show_task", json!({})),
        ToolSet::Board | ToolSet::All => {
            SuggestedCall::new("forge_read", json!({ "what": "needs_person" }))
        }
    }
}

fn refused(refusal: &ToolRefusal, suggested: &SuggestedCall) -> ToolReply {
    let value = refusal.to_value(suggested);
    ToolReply { value, links: Vec::new(), is_error: true }
}

fn still_working() -> ToolReply {
    let why =
        "The call is accepted and its work goes on. Wait for the task with forge_wait, or read it.";
    ToolReply { value: json!({ "pending": true, "why": why }), links: Vec::new(), is_error: false }
}
