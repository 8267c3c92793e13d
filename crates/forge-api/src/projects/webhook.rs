//! Webhooks of a project (SPEC S-2).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::field::{nullable, present};
use crate::{EventType, SecretString};

/// State of a webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WebhookStatus {
    /// Events are delivered.
    Active,
    /// The last attempt failed; Forge tries again at `next_attempt_at`.
    Failing,
    /// Nothing is delivered until a user enables it.
    Disabled,
}

/// A webhook: the events of a project, posted to a URL. Its secret is never part of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Webhook {
    pub id: Uuid,
    pub project_id: Uuid,
    /// Unique in the project.
    pub name: String,
    /// Where events are posted.
    pub url: String,
    /// Types of the events to deliver; `null` for all.
    #[schema(required)]
    pub event_types: Option<Vec<EventType>>,
    pub status: WebhookStatus,
    /// Why the server disabled it; `null` if a user did, or if it is enabled.
    #[schema(required)]
    pub disabled_reason: Option<String>,
    /// The user on whose behalf events are sent; it is disabled when that user may no longer read them.
    #[schema(required)]
    pub owner_id: Option<Uuid>,
    /// Number of events of the project after the last one that was delivered or is not wanted.
    pub waiting_events: u64,
    /// Failed attempts at the next event.
    pub failures: u32,
    /// Time of the first of them.
    #[schema(required, format = DateTime)]
    pub failing_since: Option<String>,
    /// Error of the last of them.
    #[schema(required)]
    pub last_error: Option<String>,
    /// Time of the next attempt, while it is failing.
    #[schema(required, format = DateTime)]
    pub next_attempt_at: Option<String>,
    /// Time of the last delivered event.
    #[schema(required, format = DateTime)]
    pub delivered_at: Option<String>,
    /// Increases with every change.
    pub version: i64,
    #[schema(format = DateTime)]
    pub created_at: String,
    #[schema(format = DateTime)]
    pub updated_at: String,
}

/// Request to add a webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewWebhook {
    /// An `https` URL; `http` only for hosts that the setting `private_hosts` names.
    #[schema(max_length = 2000)]
    pub url: String,
    /// Name; that of the host if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 100)]
    pub name: Option<String>,
    /// Types of the events to deliver; all if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_items = 1)]
    pub event_types: Option<Vec<EventType>>,
    /// Secret for the signatures: `whsec_` and 24 to 64 bytes in base64. Generated if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Password)]
    pub secret: Option<SecretString>,
}

/// A new webhook with its secret, which is shown only here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CreatedWebhook {
    /// The new webhook.
    pub webhook: Webhook,
    /// The secret with which the receiver verifies signatures; the server stores it encrypted.
    #[schema(value_type = String, format = Password)]
    pub secret: SecretString,
}

/// Request to change a webhook; fields that are left out stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebhookPatch {
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_length = 1, max_length = 100)]
    pub name: Option<String>,
    /// Where events are posted. The caller becomes the owner.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 2000)]
    pub url: Option<String>,
    /// Types of the events to deliver; `null` for all.
    #[serde(default, deserialize_with = "nullable", skip_serializing_if = "Option::is_none")]
    pub event_types: Option<Option<Vec<EventType>>>,
    /// A new secret for the signatures.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false, format = Password)]
    pub secret: Option<SecretString>,
    /// Whether events are delivered. A caller who enables it becomes the owner.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub enabled: Option<bool>,
    /// Whether the events that were not delivered yet are skipped.
    #[serde(default)]
    pub skip_waiting: bool,
    /// The version that the caller knows; without it the change applies to any version.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub version: Option<i64>,
}

/// Why something was posted to a webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WebhookDeliveryKind {
    /// An event, in its order.
    Event,
    /// An event that a user sent again.
    Redelivery,
    /// A test without an event.
    Ping,
}

/// Something that was posted to a webhook, and how the receiver answered the last attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebhookDelivery {
    /// Number among the deliveries of the webhook.
    pub number: i64,
    pub kind: WebhookDeliveryKind,
    /// Type of the event.
    pub event_type: String,
    /// Sequence number of the event; `null` for a test.
    #[schema(required)]
    pub seq: Option<u64>,
    /// Number of attempts.
    pub attempts: u32,
    /// Whether the receiver accepted it.
    pub delivered: bool,
    /// Status of the answer; `null` without an answer.
    #[schema(required)]
    pub http_status: Option<u16>,
    /// Why the last attempt failed.
    #[schema(required)]
    pub error: Option<String>,
    /// The last characters of the body of the answer.
    pub answer: String,
    /// How long the last attempt took.
    pub duration_ms: u64,
    /// Time of the last attempt.
    #[schema(format = DateTime)]
    pub at: String,
}
