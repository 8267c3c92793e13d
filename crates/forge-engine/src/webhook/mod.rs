//! Webhooks: the events of a project, posted to a URL (S-2), signed by the Standard Webhooks scheme.
//!
//! A webhook has a position in the event sequence of its project (`forge_store::tables::webhooks`). One node at a time leases
//! it and posts the events after the position in order; an accepted event moves the position forward. Positions are used
//! instead of one effect per event and webhook, because the event log itself is the durable queue: a commit writes nothing
//! for its webhooks, and a receiver that is away for a day costs no rows.
//!
//! States: caught up, behind, failing (the next attempt waits), disabled (by a person, or by the server with a reason).
//! A crash before the position moved posts the last event again, so receivers get each event at least once, and the header
//! `webhook-id` tells repetitions apart. A change or a removal makes a new fence: what is under way is not recorded, and
//! nothing follows it.
//!
//! Each address is checked when the webhook is saved and resolved again before each connection, which goes only to the
//! checked addresses (S-6). Redirects are not followed.

mod delivery_loop;
mod delivery_run;
mod event_post;
mod manual_delivery;
mod retry_schedule;
mod webhook_secret;
mod webhook_url;
mod webhooks;

pub use crate::webhook::event_post::EventEncoding;
pub(crate) use crate::webhook::event_post::ReceiverConnector;
pub use crate::webhook::manual_delivery::PING_EVENT;
pub use crate::webhook::webhook_secret::SigningSecret;
pub use crate::webhook::webhooks::{IssuedWebhook, WebhookChange, WebhookSpec, Webhooks};
