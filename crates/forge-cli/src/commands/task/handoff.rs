//! `forge task handoff`

use clap::Args;
use forge_api::NewHandoff as Request;

use super::target::Target;
use crate::context::Context;
use crate::failure::Failure;
use crate::table::one_line;
use crate::text_source;

/// Let go of a task for somebody else; its work stays, and the note reaches whoever takes it next
#[derive(Debug, Args)]
pub(crate) struct Handoff {
    #[command(flatten)]
    target: Target,
    /// What was done and what stands in the way: text, @FILE, or - for standard input
    #[arg(long, short)]
    message: String,
}

impl Handoff {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let request = Request { message: text_source::read(&self.message)? };
        let id = self.target.fetch_id(&client).await?;
        let task = client.hand_off_task(id, &request).await?;
        let key = &task.key;
        context
            .output
            .result(&task, || format!("{key}  {}  handed off", one_line(&task.status)))?;
        context.output.note(&format!(
            "Next: `forge task claim {key} --agent NAME` goes on in the same workspace."
        ));
        Ok(())
    }
}
