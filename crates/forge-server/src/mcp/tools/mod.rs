//! The tools that are written by hand: those of the board, of an execution and of a planner. What they leave out of
//! the API is generated (`tool::generated_tools`). A tool starts durable work and answers at once; a crash of the
//! server after that loses only the answer.

mod agent_tools;
mod create_tools;
mod diff_tool;
mod execution_tools;
mod log_tool;
mod read_subject;
mod read_tools;
mod review_tools;
mod task_tools;
mod tool_outcome;
mod wait_tool;

use crate::mcp::tool::ToolSpec;
use crate::mcp::tool_set::ToolSet;

/// Tools of users.
const BOARD: &[ToolSet] = &[ToolSet::Board, ToolSet::All];
/// Tools of executions, and of users who ask for all.
const RUN: &[ToolSet] = &[ToolSet::Run, ToolSet::Planner, ToolSet::All];
/// Tools of users and executions.
const EVERY: &[ToolSet] = &[ToolSet::Run, ToolSet::Planner, ToolSet::Board, ToolSet::All];
/// Tools of users and of planners.
const DIRECT: &[ToolSet] = &[ToolSet::Planner, ToolSet::Board, ToolSet::All];
/// Tools of planners, and of users who ask for all.
const PLAN: &[ToolSet] = &[ToolSet::Planner, ToolSet::All];

/// All tools that are written by hand, in the order of the lists; those that the seeds name come first.
pub(crate) fn written_tools() -> Vec<ToolSpec> {
    [
        create_tools::tools(),
        diff_tool::tools(),
        read_tools::tools(),
        log_tool::tools(),
        task_tools::tools(),
        review_tools::tools(),
        execution_tools::tools(),
        agent_tools::tools(),
        wait_tool::tools(),
    ]
    .concat()
}
