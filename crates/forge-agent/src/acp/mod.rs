//! The Agent Client Protocol: the conversation with an agent, its tool calls and permissions, and the bridge process.
//!
//! The bridge is a supervised program: it starts the agent, answers permission requests by the policy, and prints log
//! events. A conversation is opened (new, resumed or loaded session), prompted, possibly cancelled and prompted again
//! with a message, and ends with a stop reason.
//!
//! After a server crash the bridge and the agent continue, because the bridge is adoptable like any other program. A
//! message is acknowledged only when it is part of a prompt; messages without an acknowledgement stay with the task
//! and are in its next prompt.

pub(crate) mod acp_bridge;
pub(crate) mod acp_conversation;
mod tool_calls;
