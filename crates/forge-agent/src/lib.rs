//! Agent programs: how each is called, what it is told, and how its answer is read. Starting and ending processes is
//! forge-proc's business; when to do so is the engine's.

mod acp;
mod acp_bridge;
mod adapter;
mod adapters;
mod beginnings;
mod executor;
mod failure;
mod kind;
mod policy;
mod probe;
mod prompt;
mod prompt_material;
mod prompt_template;
mod redactor;
mod reset;
mod secrets;
mod stream;
mod template;
mod turn;
mod verdict;
mod word;

pub use acp::{AcpError, Control, Conversation, Stopped, converse};
pub use acp_bridge::{BridgeError, run_acp_bridge};
pub use adapter::{Adapter, AdapterError, Channel, Format};
pub use executor::{Executor, ExecutorError};
pub use kind::Kind;
pub use policy::Policy;
pub use probe::{Installed, probe};
pub use prompt::Prompt;
pub use prompt_material::{DependencyResult, PromptMaterial, Subtask};
pub use prompt_template::{PromptTemplate, PromptTemplateError};
pub use redactor::Redactor;
pub use secrets::secret_values;
pub use stream::{Body, Event, Parser, Source, TurnSummary, Usage};
pub use template::TemplateError;
pub use turn::{CannotResume, Place, Turn};
pub use verdict::read_verdict;
pub use word::{Word, WordError};
