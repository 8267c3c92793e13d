//! The command `forge webhook add`.

use clap::Args;
use forge_api::{EventType, NewWebhook};

use crate::cli_error::CliError;
use crate::commands::repo::repo_subcommand::read_token;
use crate::commands::webhook::event_types::read_event_type;
use crate::context::CliContext;
use crate::lookup::ProjectOption;
use crate::terminal::text_table::one_line;

/// Post the events of a project to a URL
///
/// Prints the secret with which the receiver verifies signatures (Standard Webhooks); it is shown only now.
#[derive(Debug, Args)]
pub(crate) struct WebhookAddArgs {
    /// An https URL; http only for hosts that the server's setting private_hosts names
    // `url` is the option that names the server.
    #[arg(value_name = "URL")]
    receiver: String,
    /// Name; default: the host of the URL
    #[arg(long)]
    name: Option<String>,
    /// Only these event types, separated by commas, such as task.landed,task.failed
    #[arg(long, value_name = "TYPES", value_delimiter = ',', value_parser = read_event_type)]
    events: Vec<EventType>,
    /// A secret of your own (whsec_ and base64): @FILE for a file's content, - for standard input
    #[arg(long, value_name = "@FILE|-")]
    secret: Option<String>,
    #[command(flatten)]
    project: ProjectOption,
}

impl WebhookAddArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let project = self.project.fetch_id(&client).await?;
        let webhook = NewWebhook {
            url: self.receiver,
            name: self.name,
            event_types: (!self.events.is_empty()).then_some(self.events),
            secret: self.secret.as_deref().map(read_token).transpose()?,
        };
        let created = client.webhooks().add(project, &webhook).await?;
        let name = one_line(&created.webhook.name);
        context.output.print_result(&created, || {
            format!("Added webhook {name}\n  secret  {}", created.secret.expose())
        })?;
        context.output.print_note(&format!(
            "The secret is not shown again. Next: try it with `forge webhook test {name}`."
        ));
        Ok(())
    }
}
