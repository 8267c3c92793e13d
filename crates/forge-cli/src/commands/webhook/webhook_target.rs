//! Selects the webhook of a command.

use clap::Args;
use forge_api::{Page, PageQuery, Webhook};
use forge_client::{ApiClient, ClientError, collect_pages};
use uuid::Uuid;

use crate::cli_error::CliError;
use crate::lookup::ProjectOption;

/// More than a project can have.
const MOST_WEBHOOKS: usize = 200;

/// Selects a webhook of a project.
#[derive(Debug, Clone, Args)]
pub(crate) struct WebhookTarget {
    /// Name or identifier of the webhook
    name: String,
    #[command(flatten)]
    project: ProjectOption,
}

impl WebhookTarget {
    pub(crate) async fn fetch(&self, client: &ApiClient) -> Result<Webhook, CliError> {
        let project = self.project.fetch_id(client).await?;
        let all = fetch_webhooks(client, project).await?.items;
        let id: Option<Uuid> = self.name.parse().ok();
        let is_it = |webhook: &&Webhook| webhook.name == self.name || Some(webhook.id) == id;
        match all.iter().find(is_it) {
            Some(webhook) => Ok(webhook.clone()),
            None => {
                let names: Vec<_> = all.iter().map(|webhook| webhook.name.as_str()).collect();
                let known = match names.as_slice() {
                    [] => "the project has none; add one with `forge webhook add URL`".to_owned(),
                    names => format!("webhooks: {}", names.join(", ")),
                };
                let name = &self.name;
                Err(CliError::not_found(format!("the project has no webhook `{name}`")).hint(known))
            }
        }
    }
}

/// All webhooks of a project.
pub(crate) async fn fetch_webhooks(
    client: &ApiClient,
    project: Uuid,
) -> Result<Page<Webhook>, ClientError> {
    collect_pages(MOST_WEBHOOKS, async |page: PageQuery| {
        client.webhooks().fetch_page(project, &page).await
    })
    .await
}
