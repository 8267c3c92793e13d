//! The tools that are written by hand: those of the board, of an execution and of a planner. What they leave out of
//! the API is generated (`tool::generated_tools`). A tool starts durable work and answers at once; a crash of the
//! server after that loses only the answer.

mod agent_tools;
mod create_tools;
mod diff_tool;
mod execution_tools;
mod log_tool;
mod question_tools;
mod read_subject;
mod read_tools;
mod review_tools;
mod task_tools;
mod tool_outcome;
mod wait_tool;
mod written_tools;

pub(crate) use crate::mcp::tools::written_tools::written_tools;
