//! The actions of the HTTP API: each is declared once, with its route and the callers that it is open to (SPEC S-1,
//! S-6). The server builds its routes from this list, so a route without a scope does not compile.

mod action;
mod action_list;
mod action_scope;
mod cli_commands;

pub use crate::actions::action::{Action, ActionMethod};
pub use crate::actions::action_list::*;
pub use crate::actions::action_scope::{ActionScope, AllowedCallers, ScopeObject};
pub use crate::actions::cli_commands::{CliCommandRef, cli_command};
