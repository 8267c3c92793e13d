//! `forge task prompt`

use clap::Args;
use forge_api::PromptQuery;

use super::target::Target;
use crate::context::Context;
use crate::failure::Failure;
use crate::table::plain_text;

/// Show exactly what an agent would be told about a task
#[derive(Debug, Args)]
pub(crate) struct Prompt {
    #[command(flatten)]
    target: Target,
    /// The role that is told; without it, the one that carries the task
    #[arg(long)]
    role: Option<String>,
}

impl Prompt {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let id = self.target.fetch_id(&client).await?;
        let found = client.fetch_prompt(id, &PromptQuery { role: self.role }).await?;
        context.output.result(&found, || plain_text(&found.prompt))
    }
}
