//! One call of a tool.

use serde_json::{Map, Value};

use crate::app::AppState;
use crate::caller::Caller;
use crate::mcp::reply::{ToolOutput, ToolRefusal};
use crate::mcp::request::{ApiRequest, ApiRequests, NameResolver, NamedTask};
use crate::mcp::tool::tool_spec::{ToolPerformance, ToolSpec};
use crate::mcp::tool_set::ToolSet;

/// A call whose arguments have the right form.
#[derive(Debug)]
pub(crate) struct ToolCall<'a> {
    pub(crate) tool: &'a ToolSpec,
    pub(crate) arguments: &'a Map<String, Value>,
    pub(crate) set: ToolSet,
    pub(crate) app: &'a AppState,
    pub(crate) caller: &'a Caller,
    pub(crate) requests: &'a ApiRequests,
}

impl ToolCall<'_> {
    /// Performs the tool.
    pub(crate) async fn perform(&self) -> Result<ToolOutput, ToolRefusal> {
        match &self.tool.performance {
            ToolPerformance::Function(function) => function(self).await,
            ToolPerformance::Generated(generated) => generated.perform(self).await,
        }
    }

    /// The text of an argument.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.arguments.get(name).and_then(Value::as_str)
    }

    /// The number of an argument.
    pub(crate) fn integer(&self, name: &str) -> Option<i64> {
        self.arguments.get(name).and_then(Value::as_i64)
    }

    /// Whether an argument is `true`.
    pub(crate) fn is_set(&self, name: &str) -> bool {
        self.arguments.get(name).and_then(Value::as_bool).unwrap_or_default()
    }

    /// The texts of a list.
    pub(crate) fn texts(&self, name: &str) -> Vec<&str> {
        let items = self.arguments.get(name).and_then(Value::as_array);
        items.into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// An object with those of the arguments that are given, under their own names.
    pub(crate) fn given(&self, names: &[&str]) -> Map<String, Value> {
        let given = |name: &&str| {
            let value = self.arguments.get(*name).filter(|value| !value.is_null());
            value.map(|value| ((*name).to_owned(), value.clone()))
        };
        names.iter().filter_map(given).collect()
    }

    /// Performs a request.
    pub(crate) async fn send(&self, request: ApiRequest) -> Result<Value, ToolRefusal> {
        Ok(self.requests.send(request).await?)
    }

    /// Resolves the names of the arguments.
    pub(crate) fn names(&self) -> NameResolver<'_> {
        NameResolver::new(self)
    }

    /// The task of the arguments `task` and `project`.
    pub(crate) async fn task(&self) -> Result<NamedTask, ToolRefusal> {
        self.names().task(self.text("task")).await
    }
}
