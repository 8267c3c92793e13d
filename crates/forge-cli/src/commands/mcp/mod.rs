//! `forge mcp`: the Model Context Protocol over standard input and output, and the configuration of its clients. The
//! proxy has no state but the negotiated revision: after a crash the client starts it again.

mod client_config;
mod json_config;
mod mcp_args;
mod mcp_install;
mod protocol_headers;
mod stdio_proxy;
mod toml_config;

pub(crate) use crate::commands::mcp::mcp_args::McpArgs;
