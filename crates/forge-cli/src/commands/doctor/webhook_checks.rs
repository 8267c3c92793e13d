//! Checks of webhooks: one that fails, or that the server disabled, delivers no events.

use forge_api::{Project, Webhook, WebhookStatus};
use forge_client::ApiClient;

use crate::commands::doctor::doctor_report::DoctorFinding;
use crate::commands::webhook::webhook_target::fetch_webhooks;
use crate::terminal::text_table::one_line;

const NAME: &str = "webhooks";

/// One finding for each webhook that does not deliver.
pub(crate) async fn check_webhooks(client: &ApiClient, projects: &[Project]) -> Vec<DoctorFinding> {
    let mut findings = Vec::new();
    for project in projects {
        match fetch_webhooks(client, project.id).await {
            Ok(webhooks) => {
                let checked = webhooks.items.into_iter();
                findings.extend(checked.filter_map(|webhook| check_webhook(project, webhook)));
            }
            Err(error) => return vec![DoctorFinding::warn(NAME, error.to_string())],
        }
    }
    findings
}

fn check_webhook(project: &Project, webhook: Webhook) -> Option<DoctorFinding> {
    let reason = match webhook.status {
        WebhookStatus::Active => None,
        WebhookStatus::Failing => webhook.last_error.map(|error| format!("fails: {error}")),
        WebhookStatus::Disabled => {
            webhook.disabled_reason.map(|reason| format!("was disabled: {reason}"))
        }
    }?;
    let (name, slug) = (one_line(&webhook.name), one_line(&project.slug));
    let finding = DoctorFinding::warn(NAME, format!("{name} of {slug} {reason}"));
    Some(finding.next(format!("see `forge webhook show {name} --project {slug}`")))
}
