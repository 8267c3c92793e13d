//! The command `forge task effects`.

use clap::Args;
use forge_api::{EffectState, PageQuery};
use forge_client::collect_pages;

use crate::cli_error::CliError;
use crate::commands::task::task_target::TaskTarget;
use crate::context::CliContext;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::TextTable;
use crate::terminal::wire_words::{truncation_note, wire_name};

/// Show the effects of a task: done, in progress and pending
#[derive(Debug, Args)]
pub(crate) struct TaskEffectsArgs {
    #[command(flatten)]
    target: TaskTarget,
}

impl TaskEffectsArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let task = self.target.fetch_id(&client).await?;
        let list = async |page: PageQuery| client.tasks().fetch_effects(task, &page).await;
        let page = collect_pages(1000, list).await?;
        let mut table = TextTable::new(&["what", "state", "tries", "since", "trouble"]).flexible(4);
        for step in &page.items {
            let ink = match step.state {
                EffectState::Done => TextStyle::Success,
                EffectState::Failed => TextStyle::Error,
                EffectState::Running => TextStyle::Warning,
                EffectState::Pending | EffectState::Cancelled => TextStyle::Plain,
            };
            table.row([
                (TextStyle::Bold, &step.kind),
                (ink, &wire_name(&step.state)),
                (TextStyle::Plain, &step.attempts.to_string()),
                (TextStyle::Dim, &context.now.ago(&step.created_at)),
                (TextStyle::Plain, step.last_error.as_deref().unwrap_or_default()),
            ]);
        }
        context.output.print_table(&page, &table)?;
        if let Some(text) = truncation_note(&page) {
            context.output.print_note(text);
        }
        Ok(())
    }
}
