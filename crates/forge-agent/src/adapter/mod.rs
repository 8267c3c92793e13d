//! How each kind of agent program is called.
//!
//! An `AgentAdapter` is one file of `adapters/`: command-line templates, prompt delivery, output format, permission
//! policies, login check and error rules, validated when loaded. `ExecutorConfig` is the validated configuration of
//! one agent. `probe` finds installed programs, their versions and logins.
//!
//! Everything here is data or a short command; it has no state, and a crash leaves nothing.

pub(crate) mod agent_adapter;
pub(crate) mod agent_kind;
pub(crate) mod argument_template;
mod builtin_adapters;
pub(crate) mod claim_overrides;
pub(crate) mod executor_config;
mod installed_program;
pub(crate) mod login;
pub(crate) mod probe;
pub(crate) mod safe_argument;
