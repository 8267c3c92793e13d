//! `forge workspace orphans`

use clap::Args;
use forge_api::SizeClass;

use crate::context::Context;
use crate::failure::Failure;
use crate::paint::Ink;
use crate::table::Table;

/// List directories under the workspace root that belong to no live task
///
/// Forge never deletes them: look at each, then remove it by hand.
#[derive(Debug, Args)]
pub(crate) struct Orphans {}

impl Orphans {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let page = context.client()?.fetch_orphans().await?;
        if page.items.is_empty() {
            context.output.note("There are no orphans.");
        }
        let mut table = Table::new(&["place", "size", "last change", "git record", "why"]);
        for orphan in &page.items {
            let size = match orphan.size {
                SizeClass::Empty => "empty",
                SizeClass::Small => "< 10 MiB",
                SizeClass::Medium => "< 1 GiB",
                SizeClass::Large => "large",
            };
            table.row([
                (Ink::Strong, orphan.path.as_str()),
                (Ink::Plain, size),
                (Ink::Plain, orphan.last_change_at.as_deref().unwrap_or("unknown")),
                (Ink::Plain, orphan.git_record_in.as_deref().unwrap_or("none")),
                (Ink::Faint, &orphan.reason),
            ]);
        }
        context.output.table(&page, &table)
    }
}
