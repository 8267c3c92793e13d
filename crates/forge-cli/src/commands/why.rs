//! `forge why`

use clap::Args;
use forge_api::WaitCode;

use crate::context::Context;
use crate::failure::Failure;
use crate::lookup::ProjectOption;
use crate::paint::Ink;
use crate::table::one_line;
use crate::task_ref::TaskRef;

/// Say why a task is not given to an agent yet, or why its agent does not go on
#[derive(Debug, Args)]
pub(crate) struct Why {
    /// The task: T-12, or its identifier
    task: TaskRef,
    #[command(flatten)]
    project: ProjectOption,
}

impl Why {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let task = self.project.fetch_task_id(&client, self.task).await?;
        let why = client.fetch_why(task).await?;
        if context.output.is_json() {
            return context.output.result(&why, String::new);
        }
        let key = context.output.ink(Ink::Strong, &one_line(&why.key));
        if !why.claimable && why.reasons.is_empty() {
            let status = one_line(&why.status);
            return context
                .output
                .text(&format!("{key} is in {status}, where agents do not look\n"));
        }
        let mut text = format!("{key} waits\n");
        for reason in &why.reasons {
            let ink = if reason.code == WaitCode::NextInLine { Ink::Good } else { Ink::Doubtful };
            let message = context.output.ink(ink, &one_line(&reason.message));
            text.push_str(&format!("  {message}\n"));
        }
        context.output.text(&text)
    }
}
