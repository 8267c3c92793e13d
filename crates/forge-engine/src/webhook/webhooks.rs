//! Webhooks of projects: added, changed and removed by people (S-6).

use crate::admin::name;
use crate::command::clock::Clock;
use crate::command::errors::EngineError;
use crate::command::event_log::append_events;
use crate::command::id_source::IdSource;
use crate::command::lookup::{RecordReader, require_found};
use crate::remote::{TokenSeal, TokenSealError};
use crate::webhook::event_post::{EventEncoding, ReceiverConnector};
use crate::webhook::webhook_secret::SigningSecret;
use crate::webhook::webhook_url::WebhookUrl;
use forge_domain::{Actor, ProjectId, Refusal, Timestamp, UserId, WebhookId};
use forge_git::AccessToken;
use forge_store::tables::events::NewEvent;
use forge_store::tables::webhooks::{self, WebhookRow};
use forge_store::{Db, tables};
use std::sync::Arc;

/// Largest number of webhooks of one project. Each that is behind holds a connection.
const MOST_WEBHOOKS: usize = 20;

/// Webhooks of projects, and the delivery of their events.
#[derive(Debug, Clone)]
pub struct Webhooks {
    pub(crate) db: Db,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: IdSource,
    pub(crate) records: RecordReader,
    pub(crate) node: String,
    pub(crate) token_seal: TokenSeal,
    pub(crate) connector: ReceiverConnector,
    /// Encodes events; without it this engine delivers none.
    pub(crate) encode: Option<EventEncoding>,
}

/// A requested webhook.
#[derive(Debug, Clone)]
pub struct WebhookSpec {
    /// The name; by default that of the host.
    pub name: Option<String>,
    pub url: String,
    /// Types of the events to deliver; `None` for all.
    pub event_types: Option<Vec<String>>,
    /// The secret of the signatures; a new one by default.
    pub secret: Option<SigningSecret>,
}

/// A change of a webhook. Absent fields stay.
#[derive(Debug, Clone, Default)]
pub struct WebhookChange {
    pub name: Option<String>,
    pub url: Option<String>,
    /// `Some(None)` delivers all events.
    pub event_types: Option<Option<Vec<String>>>,
    pub secret: Option<SigningSecret>,
    pub enabled: Option<bool>,
    /// Whether events that were not delivered yet are skipped.
    pub skip_waiting: bool,
    /// The version that the caller knows; any version if absent.
    pub version: Option<i64>,
}

/// A new webhook with its secret, which is shown only now.
#[derive(Debug, Clone)]
pub struct IssuedWebhook {
    pub webhook: WebhookRow,
    pub secret: SigningSecret,
}

impl Webhooks {
    /// Adds a webhook to a project. It gets every event from now on; its own creation is the first.
    pub async fn add(
        &self,
        actor: Actor,
        project: ProjectId,
        spec: WebhookSpec,
    ) -> Result<IssuedWebhook, EngineError> {
        self.records.project(project).await?;
        let url = WebhookUrl::parse(&spec.url)?;
        if let Some(given) = &spec.name {
            name::check(given)?;
        }
        url.resolve(&self.connector.settings).await?;
        let secret = match spec.secret {
            Some(secret) => secret,
            None => SigningSecret::generate()
                .map_err(|error| EngineError::Webhook(error.to_string()))?,
        };
        let now = self.clock.now();
        let id = WebhookId::new(self.ids.next(now));
        let template = WebhookRow {
            id,
            project_id: project,
            owner_id: owner(&actor),
            name: spec.name.clone().unwrap_or_default(),
            url: spec.url,
            event_types: spec.event_types,
            sealed_secret: self.seal_secret(id, &secret)?,
            enabled: true,
            disabled_reason: None,
            position: 0,
            failures: 0,
            failing_since: None,
            last_error: None,
            delivered_at: None,
            due_at: now,
            fence: 0,
            version: 1,
            created_at: now,
            updated_at: now,
        };
        let (host, is_named) = (url.host().to_owned(), spec.name.is_some());
        let added = self.db.write(move |tx| {
            let (mut webhook, actor, host) = (template.clone(), actor.clone(), host.clone());
            Box::pin(async move {
                require_found(tables::projects::lock(tx, project).await?, "project", project)?;
                let taken = webhooks::names_in(tx, project).await?;
                if taken.len() >= MOST_WEBHOOKS {
                    let problem =
                        format!("a project has at most {MOST_WEBHOOKS} webhooks; remove one first");
                    return Err(EngineError::InvalidField { field: "url", problem });
                }
                if !is_named {
                    webhook.name = free_name(&host, &taken);
                }
                refuse_taken(&webhook.name, &taken)?;
                let event = webhook_event("webhook.created", &webhook, now);
                let seq = append_events(tx, project, &actor, &[event]).await?;
                webhook.position = seq - 1;
                webhooks::insert(tx, &webhook).await?;
                Ok(webhook)
            })
        });
        Ok(IssuedWebhook { webhook: added.await?, secret })
    }

    /// Changes a webhook. The user who gives it a URL or enables it becomes its owner: its events leave on that user's
    /// behalf.
    pub async fn change(
        &self,
        actor: Actor,
        project: ProjectId,
        id: WebhookId,
        change: WebhookChange,
    ) -> Result<WebhookRow, EngineError> {
        self.load(project, id).await?;
        if let Some(given) = &change.name {
            name::check(given)?;
        }
        if let Some(url) = &change.url {
            WebhookUrl::parse(url)?.resolve(&self.connector.settings).await?;
        }
        let sealed =
            change.secret.as_ref().map(|secret| self.seal_secret(id, secret)).transpose()?;
        let now = self.clock.now();
        let changed = self.db.write(move |tx| {
            let (change, sealed, actor) = (change.clone(), sealed.clone(), actor.clone());
            Box::pin(async move {
                require_found(tables::projects::lock(tx, project).await?, "project", project)?;
                let mut webhook = require_found(webhooks::lock(tx, id).await?, "webhook", id)?;
                if let Some(expected) = change.version.filter(|version| *version != webhook.version)
                {
                    let (noun, actual) = ("webhook", webhook.version);
                    return Err(Refusal::VersionConflict { noun, expected, actual }.into());
                }
                if let Some(given) = &change.name
                    && *given != webhook.name
                {
                    refuse_taken(given, &webhooks::names_in(tx, project).await?)?;
                }
                let skip_waiting = change.skip_waiting;
                apply_change(&mut webhook, change, sealed, &actor, now);
                let event = webhook_event("webhook.updated", &webhook, now);
                let seq = append_events(tx, project, &actor, &[event]).await?;
                if skip_waiting {
                    webhook.position = seq - 1;
                }
                webhooks::put(tx, &webhook).await?;
                webhook.version += 1;
                Ok(webhook)
            })
        });
        changed.await
    }

    /// Removes a webhook. An event that is being posted at this moment may still arrive; none follows.
    pub async fn remove(
        &self,
        actor: Actor,
        project: ProjectId,
        id: WebhookId,
    ) -> Result<(), EngineError> {
        self.load(project, id).await?;
        let now = self.clock.now();
        let removed = self.db.write(move |tx| {
            let actor = actor.clone();
            Box::pin(async move {
                require_found(tables::projects::lock(tx, project).await?, "project", project)?;
                let webhook = require_found(webhooks::lock(tx, id).await?, "webhook", id)?;
                webhooks::remove(tx, id).await?;
                let event = webhook_event("webhook.removed", &webhook, now);
                append_events(tx, project, &actor, &[event]).await?;
                Ok::<_, EngineError>(())
            })
        });
        removed.await
    }

    /// A webhook of the project.
    pub async fn load(&self, project: ProjectId, id: WebhookId) -> Result<WebhookRow, EngineError> {
        let row = webhooks::load(&self.db, id).await?;
        require_found(row.filter(|row| row.project_id == project), "webhook", id)
    }

    fn seal_secret(&self, id: WebhookId, secret: &SigningSecret) -> Result<String, EngineError> {
        let unusable = |error: String| EngineError::Webhook(error);
        let token =
            AccessToken::new(secret.expose(), None).map_err(|error| unusable(error.to_string()))?;
        let sealed = self.token_seal.encrypt(&seal_owner(id), &token);
        sealed.map_err(|error| unusable(error.to_string()))
    }

    pub(crate) fn open_secret(&self, webhook: &WebhookRow) -> Result<SigningSecret, EngineError> {
        let opened = self.token_seal.decrypt(&seal_owner(webhook.id), &webhook.sealed_secret);
        let token = opened.map_err(|error| {
            EngineError::Webhook(match error {
                TokenSealError::Broken => {
                    "the stored secret was sealed with another key; give the webhook a secret again"
                        .to_owned()
                }
                other => other.to_string(),
            })
        })?;
        SigningSecret::parse(token.secret())
    }
}

fn apply_change(
    webhook: &mut WebhookRow,
    change: WebhookChange,
    sealed: Option<String>,
    actor: &Actor,
    now: Timestamp,
) {
    let enables = change.enabled == Some(true);
    if enables || change.url.is_some() {
        webhook.owner_id = owner(actor);
    }
    if let Some(given) = change.name {
        webhook.name = given;
    }
    if let Some(url) = change.url {
        webhook.url = url;
    }
    if let Some(types) = change.event_types {
        webhook.event_types = types;
    }
    if let Some(sealed) = sealed {
        webhook.sealed_secret = sealed;
    }
    if let Some(enabled) = change.enabled {
        webhook.enabled = enabled;
        webhook.disabled_reason = None;
    }
    // The change may be what the receiver was waiting for.
    (webhook.failures, webhook.failing_since, webhook.last_error) = (0, None, None);
    (webhook.due_at, webhook.updated_at) = (now, now);
}

fn owner(actor: &Actor) -> Option<UserId> {
    match actor {
        Actor::User { id } => Some(*id),
        Actor::Agent { .. } | Actor::System { .. } => None,
    }
}

fn seal_owner(id: WebhookId) -> String {
    format!("webhook {id}")
}

fn refuse_taken(name: &str, taken: &[String]) -> Result<(), EngineError> {
    if !taken.iter().any(|other| other == name) {
        return Ok(());
    }
    Err(EngineError::Duplicate { noun: "webhook", field: "name", value: name.to_owned() })
}

/// The name of the host, with a number if it is taken.
fn free_name(host: &str, taken: &[String]) -> String {
    let host: String = host.chars().take(80).collect();
    let numbered = (2..).map(|number| format!("{host}-{number}"));
    let mut names = std::iter::once(host.clone()).chain(numbered);
    names.find(|name| !taken.contains(name)).unwrap_or(host)
}

/// An event about a webhook. The URL is left out, because the path of a URL may be a secret.
pub(crate) fn webhook_event(kind: &str, webhook: &WebhookRow, at: Timestamp) -> NewEvent {
    let data = serde_json::json!({
        "id": webhook.id,
        "name": webhook.name,
        "enabled": webhook.enabled,
        "reason": webhook.disabled_reason,
    });
    NewEvent { kind: kind.to_owned(), version: webhook.version, at, data }
}
