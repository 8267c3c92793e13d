//! The list of the written tools, and the sets that contain them.

use crate::mcp::tool::ToolSpec;
use crate::mcp::tool_set::ToolSet;
use crate::mcp::tools::{
    agent_tools, create_tools, diff_tool, execution_tools, log_tool, question_tools, read_tools,
    review_tools, task_tools, wait_tool,
};

/// Tools of users.
pub(super) const BOARD: &[ToolSet] = &[ToolSet::Board, ToolSet::All];
/// Tools of executions, and of users who ask for all.
pub(super) const RUN: &[ToolSet] = &[ToolSet::Run, ToolSet::Planner, ToolSet::All];
/// Tools of users and executions.
pub(super) const EVERY: &[ToolSet] =
    &[ToolSet::Run, ToolSet::Planner, ToolSet::Board, ToolSet::All];
/// Tools of users and of planners.
pub(super) const DIRECT: &[ToolSet] = &[ToolSet::Planner, ToolSet::Board, ToolSet::All];
/// Tools of planners, and of users who ask for all.
pub(super) const PLAN: &[ToolSet] = &[ToolSet::Planner, ToolSet::All];

/// All tools that are written by hand, in the order of the lists; those that the seeds name come first.
pub(crate) fn written_tools() -> Vec<ToolSpec> {
    [
        create_tools::tools(),
        diff_tool::tools(),
        read_tools::tools(),
        log_tool::tools(),
        task_tools::tools(),
        question_tools::tools(),
        review_tools::tools(),
        execution_tools::tools(),
        agent_tools::tools(),
        wait_tool::tools(),
    ]
    .concat()
}
