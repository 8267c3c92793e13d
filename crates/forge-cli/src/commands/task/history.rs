//! The command `forge task history`.

use clap::Args;
use forge_api::PageQuery;
use forge_client::collect_pages;

use crate::cli_error::CliError;
use crate::commands::task::task_target::TaskTarget;
use crate::context::CliContext;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::TextTable;
use crate::terminal::wire_words::{actor_name, truncation_note};

/// Show how a task moved, who moved it and why
#[derive(Debug, Args)]
pub(crate) struct TaskHistoryArgs {
    #[command(flatten)]
    target: TaskTarget,
}

impl TaskHistoryArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let task = self.target.fetch_id(&client).await?;
        let list = async |page: PageQuery| client.tasks().fetch_transitions(task, &page).await;
        let page = collect_pages(1000, list).await?;
        let mut table = TextTable::new(&["at", "from", "to", "by", "why"]).flexible(4);
        for transition in &page.items {
            let ink = if transition.rejection { TextStyle::Error } else { TextStyle::Plain };
            table.row([
                (TextStyle::Dim, &context.now.ago(&transition.at)),
                (TextStyle::Plain, &transition.from_state),
                (ink, &transition.to_state),
                (TextStyle::Plain, &actor_name(&transition.triggered_by)),
                (TextStyle::Plain, transition.trigger_reason.as_deref().unwrap_or_default()),
            ]);
        }
        context.output.print_table(&page, &table)?;
        if let Some(text) = truncation_note(&page) {
            context.output.print_note(text);
        }
        Ok(())
    }
}
