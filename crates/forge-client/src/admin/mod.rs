//! Client methods for agents, dispatch, the server itself and the demonstration.

mod agent;
mod demo;
mod dispatch;
mod system;

pub use crate::admin::agent::AgentClient;
pub use crate::admin::demo::DemoClient;
pub use crate::admin::dispatch::DispatchClient;
pub use crate::admin::system::SystemClient;
