//! The Model Context Protocol over HTTP (S-3), with real tasks behind it.

mod board_walk;
mod eras;
mod execution_tokens;
mod mcp_client;
mod protocol_errors;
mod visibility;
mod wrong_calls;
