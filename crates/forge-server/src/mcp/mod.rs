//! The Model Context Protocol (SPEC S-3): tools, resources and prompts over streamable HTTP.
//!
//! A tool is data (`tool::ToolSpec`) plus a function from arguments to requests. Each request goes through the routes
//! of the HTTP API in process, with the credential of the caller, so that scopes, refusals and words are those of the
//! API. A connection has no state: every handle is an id of ours, and a crash of the server loses nothing but the
//! answer. The protocol library (rmcp) is used only in `endpoint.rs`, `mcp_handler.rs`, `protocol_message.rs`,
//! `tool_definition.rs`, `resources.rs` and `prompts.rs`.

mod caller_session;
mod endpoint;
mod mcp_handler;
mod prompts;
mod protocol_message;
mod reply;
mod request;
mod resources;
mod tool;
mod tool_catalogue;
mod tool_definition;
mod tool_set;
mod tools;

pub(crate) use crate::mcp::endpoint::mcp_routes;
