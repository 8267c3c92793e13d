//! Client methods for agents, dispatch, the server itself and the demonstration.

mod agent;
mod backup_download;
mod demo;
mod dispatch;
mod system;

pub use crate::admin::agent::AgentClient;
pub use crate::admin::backup_download::BackupDownload;
pub use crate::admin::demo::DemoClient;
pub use crate::admin::dispatch::DispatchClient;
pub use crate::admin::system::SystemClient;
