//! A tool: data, and a function from arguments to requests.

use std::borrow::Cow;
use std::fmt;

use forge_api::actions::Action;
use futures::future::BoxFuture;
use serde_json::{Map, Value};

use crate::mcp::reply::{ToolOutput, ToolRefusal};
use crate::mcp::tool::argument_spec::{ArgumentSpec, arguments_schema};
use crate::mcp::tool::generated_tool::GeneratedCall;
use crate::mcp::tool::tool_call::ToolCall;
use crate::mcp::tool_set::ToolSet;

/// A tool that a caller can use.
#[derive(Debug, Clone)]
pub(crate) struct ToolSpec {
    pub(crate) name: Cow<'static, str>,
    pub(crate) title: Cow<'static, str>,
    pub(crate) description: Cow<'static, str>,
    pub(crate) arguments: Vec<ArgumentSpec>,
    /// The JSON schema of a successful result.
    pub(crate) output: Map<String, Value>,
    pub(crate) effect: ToolEffect,
    /// The actions of the API that it performs.
    pub(crate) actions: Vec<&'static Action>,
    /// The sets that contain it.
    pub(crate) sets: &'static [ToolSet],
    pub(crate) performance: ToolPerformance,
}

/// The effect of a tool, for the hints that clients show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToolEffect {
    /// Changes nothing at all.
    Reads,
    /// Adds something each time it is called.
    Adds,
    /// Brings something into a state; a second call changes nothing more.
    Sets,
    /// Ends or removes something.
    Ends,
}

/// A function that performs a tool.
pub(crate) type ToolFunction =
    for<'a> fn(&'a ToolCall<'a>) -> BoxFuture<'a, Result<ToolOutput, ToolRefusal>>;

/// How a tool is performed.
#[derive(Clone)]
pub(crate) enum ToolPerformance {
    /// By a function that is written for it.
    Function(ToolFunction),
    /// By the one request of an action.
    Generated(GeneratedCall),
}

impl fmt::Debug for ToolPerformance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Function(_) => f.write_str("Function"),
            Self::Generated(call) => call.fmt(f),
        }
    }
}

impl ToolSpec {
    /// A tool without arguments that reads something.
    pub(crate) fn new(
        name: &'static str,
        title: &'static str,
        description: &'static str,
        function: ToolFunction,
    ) -> Self {
        Self {
            name: name.into(),
            title: title.into(),
            description: description.into(),
            arguments: Vec::new(),
            output: Map::new(),
            effect: ToolEffect::Reads,
            actions: Vec::new(),
            sets: &[],
            performance: ToolPerformance::Function(function),
        }
    }

    /// Sets the arguments.
    #[must_use]
    pub(crate) fn takes(mut self, arguments: impl IntoIterator<Item = ArgumentSpec>) -> Self {
        self.arguments = arguments.into_iter().collect();
        self
    }

    /// Sets the effect and the actions that it performs.
    #[must_use]
    pub(crate) fn performs(
        mut self,
        effect: ToolEffect,
        actions: impl IntoIterator<Item = &'static Action>,
    ) -> Self {
        self.effect = effect;
        self.actions = actions.into_iter().collect();
        self
    }

    /// Sets the schema of the result.
    #[must_use]
    pub(crate) fn answers(mut self, output: Value) -> Self {
        if let Value::Object(output) = output {
            self.output = output;
        }
        self
    }

    /// Sets the sets that contain it.
    #[must_use]
    pub(crate) fn in_sets(mut self, sets: &'static [ToolSet]) -> Self {
        self.sets = sets;
        self
    }

    /// The argument of this name.
    pub(crate) fn argument(&self, name: &str) -> Option<&ArgumentSpec> {
        self.arguments.iter().find(|argument| argument.name == name)
    }

    /// The JSON schema of the arguments.
    pub(crate) fn input(&self) -> Map<String, Value> {
        arguments_schema(&self.arguments)
    }
}
