//! A tool as data: its name, help, arguments, output, effects and the actions of the API that it performs. The checks
//! of arguments find every mistake and propose the corrected call; values are checked only by the API.

mod argument_check;
mod argument_spec;
mod generated_tool;
mod nearest_name;
mod schema_document;
mod tool_call;
mod tool_spec;

pub(crate) use crate::mcp::tool::argument_check::check_arguments;
pub(crate) use crate::mcp::tool::argument_spec::{ArgumentKind, ArgumentSpec};
pub(crate) use crate::mcp::tool::generated_tool::generated_tools;
pub(crate) use crate::mcp::tool::nearest_name::nearest_name;
pub(crate) use crate::mcp::tool::tool_call::ToolCall;
pub(crate) use crate::mcp::tool::tool_spec::{ToolEffect, ToolSpec};
