//! The command `forge inbox`.

use clap::Args;
use forge_api::{NeedsPerson, NeedsPersonQuery, PageQuery};
use forge_client::collect_pages;

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::lookup::fetch_project;
use crate::terminal::next_steps;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::one_line;
use crate::terminal::wire_words::{readable_age, truncation_note};

/// List what waits for a person, in all projects
///
/// Longest wait first: passed reviews, verdicts that people give, failed and parked tasks, landings that wait for
/// your checkout. Each entry has its reason, its age and the next commands. Tasks that are only queued, or that a
/// person works on, are not listed.
#[derive(Debug, Args)]
#[command(visible_alias = "needs-me")]
pub(crate) struct InboxArgs {
    /// Only this project, by name or identifier
    #[arg(long, short, value_name = "PROJECT")]
    project: Option<String>,
    /// Maximum number of entries
    #[arg(long, short = 'n', default_value_t = 50, value_name = "N")]
    limit: usize,
}

impl InboxArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let project = match &self.project {
            Some(name) => Some(fetch_project(&client, name).await?.id),
            None => None,
        };
        let page = collect_pages(self.limit, async |page: PageQuery| {
            let PageQuery { limit, cursor } = page;
            client.tasks().fetch_needs_person(&NeedsPersonQuery { project, limit, cursor }).await
        })
        .await?;
        context.output.print_result(&page, || {
            page.items
                .iter()
                .map(|item| describe_item(context, item))
                .collect::<Vec<_>>()
                .join("\n")
        })?;
        if page.items.is_empty() {
            context.output.print_note("Nothing waits for a person.");
        }
        if let Some(text) = truncation_note(&page) {
            context.output.print_note(text);
        }
        Ok(())
    }
}

fn describe_item(context: &CliContext, item: &NeedsPerson) -> String {
    let key = context.output.styled(TextStyle::Bold, &item.key);
    let project = context.output.styled(TextStyle::Dim, &one_line(&item.project_name));
    let reason =
        context.output.styled(TextStyle::Warning, &one_line(&item.reason).replace('_', " "));
    let title = one_line(&item.title);
    let mut text =
        format!("{key}  {project}  {reason}  {}  {title}\n", readable_age(item.age_seconds));
    text.push_str(&next_steps::wrap_lines(&one_line(&item.message), |line| format!("  {line}\n")));
    text.push_str(&next_steps::list_files(&item.files));
    text.push_str(&next_steps::list_steps(context, &item.next));
    text
}
