//! The result of a call that is refused.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::error::api_error::ApiError;

/// Why a call is refused, and how to correct it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ToolRefusal {
    /// The code of the API's error; `unknown_tool` has no counterpart there.
    pub(crate) code: Cow<'static, str>,
    /// What is wrong and what to do next.
    pub(crate) why: String,
    /// The data of the code.
    pub(crate) details: Box<Value>,
    pub(crate) correction: Box<Correction>,
}

/// How to correct a call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Correction {
    /// By the rule of the code.
    ByCode,
    /// The same tool with these arguments.
    Arguments(Map<String, Value>),
    /// A call of another tool.
    Call(SuggestedCall),
    /// The tool that lists the tasks, because the call does not say which one it means.
    FindTask,
    /// The tool that lists the agents, because the call does not say which one it means.
    FindAgent,
}

/// A call that the caller can make instead.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SuggestedCall {
    pub(crate) tool: String,
    pub(crate) arguments: Value,
}

impl SuggestedCall {
    /// A call of a tool with these arguments.
    pub(crate) fn new(tool: impl Into<String>, arguments: Value) -> Self {
        Self { tool: tool.into(), arguments }
    }
}

impl ToolRefusal {
    /// A refusal that is corrected by the rule of its code.
    pub(crate) fn new(code: impl Into<Cow<'static, str>>, why: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            why: why.into(),
            details: Box::default(),
            correction: Box::new(Correction::ByCode),
        }
    }

    /// Sets the correction of the call.
    #[must_use]
    pub(crate) fn with_correction(mut self, correction: Correction) -> Self {
        *self.correction = correction;
        self
    }

    /// The content of the result, with the call to try.
    pub(crate) fn to_value(&self, suggested: &SuggestedCall) -> Value {
        let mut value = json!({
            "code": self.code,
            "why": self.why,
            "try": { "tool": suggested.tool, "arguments": suggested.arguments },
        });
        if !self.details.is_null() {
            value["details"] = self.details.as_ref().clone();
        }
        value
    }
}

impl From<ApiError> for ToolRefusal {
    fn from(error: ApiError) -> Self {
        Self {
            code: error.code().as_str().into(),
            why: error.message().to_owned(),
            details: Box::new(error.details().clone()),
            correction: Box::new(Correction::ByCode),
        }
    }
}
