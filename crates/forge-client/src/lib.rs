//! A typed client for Forge's HTTP API: one type per resource, such as `client.tasks()`, with one method per
//! endpoint that Forge's own programs call, and the event stream.
//!
//! A program pays only for what it uses: TLS is loaded only for `https` addresses, and the client connects with the
//! first call. The token never appears in an address, an error or debug output.

mod accounts;
mod admin;
mod api_call;
mod api_client;
mod credential;
mod error;
mod event;
mod executions;
mod landing;
mod mcp;
mod paging;
mod projects;
mod server_url;
mod tasks;
mod workspaces;

pub use crate::accounts::{AccountClient, TokenClient, UserClient};
pub use crate::admin::{AgentClient, BackupDownload, DemoClient, DispatchClient, SystemClient};
pub use crate::api_client::ApiClient;
pub use crate::error::ClientError;
pub use crate::event::{EventClient, EventStream, StreamSignal};
pub use crate::executions::{ExecutionClient, UsageClient};
pub use crate::landing::{CheckClient, ConflictClient, MergeTrainClient, ReviewClient};
pub use crate::mcp::{McpClient, McpToolSet};
pub use crate::paging::collect_pages;
pub use crate::projects::{MemberClient, ProjectClient, RepoClient, WebhookClient};
pub use crate::server_url::{ServerUrl, ServerUrlError};
pub use crate::tasks::{
    CommentClient, DependencyClient, QuestionClient, TaskClient, TransitionWait,
};
pub use crate::workspaces::{JournalClient, WorkspaceClient};
