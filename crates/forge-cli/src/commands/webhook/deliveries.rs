//! The commands `forge webhook test` and `deliveries`.

use clap::Args;
use forge_api::{PageQuery, WebhookDelivery};
use forge_client::collect_pages;

use crate::cli_error::CliError;
use crate::commands::webhook::webhook_target::WebhookTarget;
use crate::context::CliContext;
use crate::exit_code::CliExit;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{TextTable, one_line};
use crate::terminal::wire_words::{truncation_note, wire_name};

/// List the latest deliveries of a webhook, or send one again
#[derive(Debug, Args)]
pub(crate) struct WebhookDeliveriesArgs {
    #[command(flatten)]
    webhook: WebhookTarget,
    /// How many to list
    #[arg(long, default_value_t = 20)]
    limit: usize,
    /// Send the event of this delivery again, at once and out of order
    #[arg(long, value_name = "NUMBER")]
    redeliver: Option<i64>,
}

/// Send a test to a webhook and show the receiver's answer
///
/// The exit code is 1 if the receiver did not accept it.
#[derive(Debug, Args)]
pub(crate) struct WebhookTestArgs {
    #[command(flatten)]
    webhook: WebhookTarget,
}

impl WebhookTestArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let webhook = self.webhook.fetch(&client).await?;
        let sent = client.webhooks().test(webhook.project_id, webhook.id).await?;
        print_delivery(context, &sent)
    }
}

impl WebhookDeliveriesArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let webhook = self.webhook.fetch(&client).await?;
        let (project, id) = (webhook.project_id, webhook.id);
        if let Some(number) = self.redeliver {
            let sent = client.webhooks().redeliver(project, id, number).await?;
            return print_delivery(context, &sent);
        }
        let page = collect_pages(self.limit, async |page: PageQuery| {
            client.webhooks().fetch_deliveries(project, id, &page).await
        })
        .await?;
        let mut table = TextTable::new(&["number", "event", "seq", "when", "tries", "result"]);
        for delivery in &page.items {
            let style = if delivery.delivered { TextStyle::Success } else { TextStyle::Error };
            let kind = match delivery.kind {
                forge_api::WebhookDeliveryKind::Redelivery => {
                    format!("{} (again)", delivery.event_type)
                }
                _ => delivery.event_type.clone(),
            };
            table.row([
                (TextStyle::Bold, &delivery.number.to_string()),
                (TextStyle::Plain, &kind),
                (TextStyle::Plain, &delivery.seq.map_or(String::new(), |seq| seq.to_string())),
                (TextStyle::Dim, &context.now.ago(&delivery.at)),
                (TextStyle::Plain, &delivery.attempts.to_string()),
                (style, &result(delivery)),
            ]);
        }
        context.output.print_table(&page, &table.flexible(5))?;
        if let Some(text) = truncation_note(&page) {
            context.output.print_note(text);
        }
        if page.items.is_empty() {
            context
                .output
                .print_note("Nothing was delivered yet. Try it with `forge webhook test`.");
        }
        Ok(())
    }
}

fn result(delivery: &WebhookDelivery) -> String {
    match (&delivery.error, delivery.http_status) {
        (Some(error), _) => error.clone(),
        (None, Some(status)) => status.to_string(),
        (None, None) => wire_name(&delivery.kind),
    }
}

/// Prints the result of one delivery; a failed one is an error.
fn print_delivery(context: &CliContext, delivery: &WebhookDelivery) -> Result<(), CliError> {
    context.output.print_result(delivery, || {
        let style = if delivery.delivered { TextStyle::Success } else { TextStyle::Error };
        let what = if delivery.delivered { "Delivered" } else { "Not delivered" };
        let mut text = format!(
            "{}: {} ({} ms)",
            context.output.styled(style, what),
            one_line(&result(delivery)),
            delivery.duration_ms
        );
        if !delivery.answer.is_empty() {
            text.push_str(&format!("\n  answer  {}", one_line(&delivery.answer)));
        }
        text
    })?;
    if delivery.delivered {
        return Ok(());
    }
    Err(CliError::already_printed(CliExit::Refused))
}
