//! Formats webhooks for people.

use forge_api::{Webhook, WebhookStatus};

use crate::context::CliContext;
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::one_line;
use crate::terminal::wire_words::wire_name;

/// The state of a webhook with its style.
pub(crate) fn status(webhook: &Webhook) -> (TextStyle, String) {
    let style = match webhook.status {
        WebhookStatus::Active => TextStyle::Success,
        WebhookStatus::Failing => TextStyle::Warning,
        WebhookStatus::Disabled if webhook.disabled_reason.is_some() => TextStyle::Error,
        WebhookStatus::Disabled => TextStyle::Dim,
    };
    (style, wire_name(&webhook.status))
}

/// The delivered event types in words.
pub(crate) fn event_types(webhook: &Webhook) -> String {
    match &webhook.event_types {
        None => "all".to_owned(),
        Some(types) => {
            let names: Vec<_> = types.iter().map(|kind| kind.as_str()).collect();
            names.join(", ")
        }
    }
}

/// Everything about a webhook.
pub(crate) fn describe(context: &CliContext, webhook: &Webhook) -> String {
    let mut text = context.output.styled(TextStyle::Bold, &one_line(&webhook.name));
    text.push('\n');
    let mut line = |name: &str, value: &str| {
        text.push_str(&format!("  {name:<12} {}\n", one_line(value)));
    };
    let (style, word) = status(webhook);
    line("identifier", &webhook.id.to_string());
    line("url", &webhook.url);
    line("events", &event_types(webhook));
    line("state", &context.output.styled(style, &word));
    if let Some(reason) = &webhook.disabled_reason {
        line("because", reason);
    }
    if let Some(error) = &webhook.last_error {
        line("last error", error);
    }
    if let Some(since) = &webhook.failing_since {
        line(
            "failing",
            &format!("{} attempts in {}", webhook.failures, context.now.elapsed(since)),
        );
    }
    if let Some(at) = &webhook.next_attempt_at {
        line("next attempt", &context.now.until(at));
    }
    let delivered = webhook.delivered_at.as_deref().map(|at| context.now.ago(at));
    line("delivered", &delivered.unwrap_or_else(|| "nothing yet".to_owned()));
    line("waiting", &format!("{} events", webhook.waiting_events));
    text
}
