//! The command `forge workspace orphans`.

use clap::Args;
use forge_api::SizeClass;

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::TextTable;

/// List directories under the workspace root that belong to no live task
///
/// Forge never deletes them: inspect each one, then remove it by hand.
#[derive(Debug, Args)]
pub(crate) struct WorkspaceOrphansArgs {}

impl WorkspaceOrphansArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let page = context.client()?.workspaces().fetch_orphans().await?;
        if page.items.is_empty() {
            context.output.print_note("There are no orphans.");
        }
        let mut table = TextTable::new(&["place", "size", "last change", "git record", "why"]);
        for orphan in &page.items {
            let size = match orphan.size {
                SizeClass::Empty => "empty",
                SizeClass::Small => "< 10 MiB",
                SizeClass::Medium => "< 1 GiB",
                SizeClass::Large => "large",
            };
            let change = orphan.last_change_at.as_deref().map(|at| context.now.ago(at));
            let change = change.unwrap_or_else(|| "unknown".to_owned());
            table.row([
                (TextStyle::Bold, orphan.path.as_str()),
                (TextStyle::Plain, size),
                (TextStyle::Plain, &change),
                (TextStyle::Plain, orphan.git_record_in.as_deref().unwrap_or("none")),
                (TextStyle::Dim, &orphan.reason),
            ]);
        }
        context.output.print_table(&page, &table)
    }
}
