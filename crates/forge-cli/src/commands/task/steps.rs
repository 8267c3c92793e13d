//! `forge task steps`

use clap::Args;
use forge_api::{PageQuery, StepState};
use forge_client::collect;

use super::target::Target;
use crate::context::Context;
use crate::failure::Failure;
use crate::paint::Ink;
use crate::table::Table;
use crate::words::{more, time, word};

/// Show what Forge did, does and still has to do for a task
#[derive(Debug, Args)]
pub(crate) struct Steps {
    #[command(flatten)]
    target: Target,
}

impl Steps {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let task = self.target.fetch_id(&client).await?;
        let list = async |page: PageQuery| client.fetch_steps(task, &page).await;
        let page = collect(1000, list).await?;
        let mut table = Table::new(&["what", "state", "tries", "since", "trouble"]).flexible(4);
        for step in &page.items {
            let ink = match step.state {
                StepState::Done => Ink::Good,
                StepState::Failed => Ink::Bad,
                StepState::Running => Ink::Doubtful,
                StepState::Pending | StepState::Cancelled => Ink::Plain,
            };
            table.row([
                (Ink::Strong, &step.kind),
                (ink, &word(&step.state)),
                (Ink::Plain, &step.attempts.to_string()),
                (Ink::Faint, &time(&step.created_at)),
                (Ink::Plain, step.last_error.as_deref().unwrap_or_default()),
            ]);
        }
        context.output.table(&page, &table)?;
        if let Some(text) = more(&page) {
            context.output.note(text);
        }
        Ok(())
    }
}
