//! `forge task history`

use clap::Args;
use forge_api::PageQuery;
use forge_client::collect;

use super::target::Target;
use crate::context::Context;
use crate::failure::Failure;
use crate::paint::Ink;
use crate::table::Table;
use crate::words::{actor, more, time};

/// Show how a task moved, who moved it and why
#[derive(Debug, Args)]
pub(crate) struct History {
    #[command(flatten)]
    target: Target,
}

impl History {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        let task = self.target.fetch_id(&client).await?;
        let list = async |page: PageQuery| client.fetch_transitions(task, &page).await;
        let page = collect(1000, list).await?;
        let mut table = Table::new(&["at", "from", "to", "by", "why"]).flexible(4);
        for transition in &page.items {
            let ink = if transition.rejection { Ink::Bad } else { Ink::Plain };
            table.row([
                (Ink::Faint, &time(&transition.at)),
                (Ink::Plain, &transition.from_state),
                (ink, &transition.to_state),
                (Ink::Plain, &actor(&transition.triggered_by)),
                (Ink::Plain, transition.trigger_reason.as_deref().unwrap_or_default()),
            ]);
        }
        context.output.table(&page, &table)?;
        if let Some(text) = more(&page) {
            context.output.note(text);
        }
        Ok(())
    }
}
