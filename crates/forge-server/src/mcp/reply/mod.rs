//! What a tool answers: a value of limited size with links to what is left out, or a refusal with the corrected call.

mod correction;
mod result_size;
mod task_view;
mod tool_output;
mod tool_refusal;

pub(crate) use crate::mcp::reply::correction::suggest_call;
pub(crate) use crate::mcp::reply::result_size::{
    LARGEST_RESULT, cut_text, fit_result, without_empty,
};
pub(crate) use crate::mcp::reply::task_view::{task_brief, task_output};
pub(crate) use crate::mcp::reply::tool_output::{ResourceLink, ToolOutput};
pub(crate) use crate::mcp::reply::tool_refusal::{Correction, SuggestedCall, ToolRefusal};
