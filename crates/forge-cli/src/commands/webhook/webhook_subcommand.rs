//! The command `forge webhook`.

use clap::Subcommand;

use crate::cli_error::CliError;
use crate::commands::webhook::add::WebhookAddArgs;
use crate::commands::webhook::deliveries::{WebhookDeliveriesArgs, WebhookTestArgs};
use crate::commands::webhook::edit::WebhookEditArgs;
use crate::commands::webhook::webhook_target::{WebhookTarget, fetch_webhooks};
use crate::commands::webhook::webhook_view::{describe, event_types, status};
use crate::context::CliContext;
use crate::lookup::ProjectOption;
use crate::terminal::confirm::confirm;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{TextTable, one_line};

/// Webhooks: post the events of a project to a URL
#[derive(Debug, Subcommand)]
pub(crate) enum WebhookSubcommand {
    Add(WebhookAddArgs),
    /// List the webhooks of a project
    #[command(visible_alias = "ls")]
    List {
        #[command(flatten)]
        project: ProjectOption,
    },
    /// Show a webhook, its state and its last error
    Show {
        #[command(flatten)]
        webhook: WebhookTarget,
    },
    Edit(WebhookEditArgs),
    /// Remove a webhook; events that were not delivered yet are dropped
    #[command(visible_alias = "rm")]
    Remove {
        #[command(flatten)]
        webhook: WebhookTarget,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
    Test(WebhookTestArgs),
    Deliveries(WebhookDeliveriesArgs),
}

impl WebhookSubcommand {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        match self {
            Self::Add(add) => add.run(context).await,
            Self::Edit(edit) => edit.run(context).await,
            Self::Test(test) => test.run(context).await,
            Self::Deliveries(deliveries) => deliveries.run(context).await,
            Self::List { project } => list(context, &project).await,
            Self::Show { webhook } => {
                let webhook = webhook.fetch(&client).await?;
                context.output.print_result(&webhook, || describe(context, &webhook))
            }
            Self::Remove { webhook, yes } => {
                let webhook = webhook.fetch(&client).await?;
                let name = one_line(&webhook.name);
                if !yes {
                    confirm(&format!("Remove webhook {name}?")).await?;
                }
                client.webhooks().remove(webhook.project_id, webhook.id).await?;
                context.output.print_result(&webhook, || format!("Removed webhook {name}"))
            }
        }
    }
}

async fn list(context: &CliContext, project: &ProjectOption) -> Result<(), CliError> {
    let client = context.client()?;
    let page = fetch_webhooks(&client, project.fetch_id(&client).await?).await?;
    let mut table = TextTable::new(&["name", "state", "waiting", "events", "url"]).flexible(4);
    for webhook in &page.items {
        let (style, word) = status(webhook);
        let events = match &webhook.event_types {
            Some(types) if types.len() > 2 => format!("{} types", types.len()),
            _ => event_types(webhook),
        };
        table.row([
            (TextStyle::Bold, &webhook.name),
            (style, &word),
            (TextStyle::Plain, &webhook.waiting_events.to_string()),
            (TextStyle::Plain, &events),
            (TextStyle::Dim, &webhook.url),
        ]);
    }
    context.output.print_table(&page, &table)?;
    if page.items.is_empty() {
        context.output.print_note("No webhook yet. Add one with `forge webhook add URL`.");
    }
    Ok(())
}
