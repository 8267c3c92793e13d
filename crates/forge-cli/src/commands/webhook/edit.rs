//! The command `forge webhook edit`.

use clap::Args;
use forge_api::{EventType, WebhookPatch};

use crate::cli_error::CliError;
use crate::commands::repo::repo_subcommand::read_token;
use crate::commands::webhook::event_types::read_event_type;
use crate::commands::webhook::webhook_target::WebhookTarget;
use crate::commands::webhook::webhook_view::describe;
use crate::context::CliContext;

/// Change, enable or disable a webhook
///
/// Options that are left out stay as they are. A waiting event is attempted again at once.
#[derive(Debug, Args)]
pub(crate) struct WebhookEditArgs {
    #[command(flatten)]
    webhook: WebhookTarget,
    /// Post to another URL
    #[arg(long, value_name = "URL")]
    post_to: Option<String>,
    /// Give it another name
    #[arg(long, value_name = "NAME")]
    rename: Option<String>,
    /// Deliver only these event types, separated by commas
    #[arg(long, value_name = "TYPES", value_delimiter = ',', value_parser = read_event_type)]
    events: Vec<EventType>,
    /// Deliver all event types
    #[arg(long, conflicts_with = "events")]
    all_events: bool,
    /// A new secret (whsec_ and base64): @FILE for a file's content, - for standard input
    #[arg(long, value_name = "@FILE|-")]
    secret: Option<String>,
    /// Deliver events again, from the one that it stopped at
    #[arg(long)]
    enable: bool,
    /// Deliver nothing until it is enabled
    #[arg(long, conflicts_with = "enable")]
    disable: bool,
    /// Skip the events that were not delivered yet
    #[arg(long)]
    skip_waiting: bool,
}

impl WebhookEditArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let event_types = match self.all_events {
            true => Some(None),
            false => (!self.events.is_empty()).then_some(Some(self.events)),
        };
        let mut patch = WebhookPatch {
            name: self.rename,
            url: self.post_to,
            event_types,
            secret: self.secret.as_deref().map(read_token).transpose()?,
            enabled: (self.enable || self.disable).then_some(self.enable),
            skip_waiting: self.skip_waiting,
            version: None,
        };
        if patch == WebhookPatch::default() {
            return Err(CliError::usage("nothing to change")
                .hint("give --post-to, --rename, --events, --all-events, --secret, --enable, --disable or --skip-waiting"));
        }
        let client = context.client()?;
        let webhook = self.webhook.fetch(&client).await?;
        patch.version = Some(webhook.version);
        let changed = client.webhooks().change(webhook.project_id, webhook.id, &patch).await?;
        context.output.print_result(&changed, || describe(context, &changed))
    }
}
