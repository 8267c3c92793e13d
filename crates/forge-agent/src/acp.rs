//! The Agent Client Protocol. Its crate moves fast, so nothing outside this file knows it.

use crate::policy::Policy;
use crate::stream::{Body, Usage};
use crate::word::Word;
use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    CancelNotification, ContentBlock, InitializeRequest, LoadSessionRequest, NewSessionRequest,
    PermissionOptionKind, PromptRequest, RequestPermissionOutcome, RequestPermissionRequest,
    RequestPermissionResponse, ResumeSessionRequest, SelectedPermissionOutcome, SessionId,
    SessionNotification, SessionUpdate, StopReason, TextContent, ToolCallContent, ToolCallStatus,
    ToolCallUpdate, ToolKind,
};
use agent_client_protocol::{Agent, ByteStreams, Client, Error};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;
use tokio_util::compat::{TokioAsyncReadCompatExt as _, TokioAsyncWriteCompatExt as _};
use uuid::Uuid;

/// One turn with an agent that speaks the protocol.
#[derive(Debug, Clone)]
pub struct Conversation {
    /// The worktree; an absolute path.
    pub directory: PathBuf,
    /// The session to continue.
    pub resume: Option<Word>,
    /// What the agent is told.
    pub prompt: String,
    /// What it is allowed when it asks.
    pub policy: Policy,
}

/// What can be said while a turn runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Control {
    /// Leave what you do and listen to this. The protocol has no word for it, so the turn is cancelled and these words
    /// begin the next one of the same session.
    Steer {
        /// By which it is said that the message was taken.
        id: Uuid,
        /// The message.
        words: String,
    },
    /// Stop.
    Cancel,
}

/// How a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// The agent is done.
    Done,
    /// The agent ran into a limit or refused.
    Short,
    /// It was told to stop.
    Cancelled,
}

/// A conversation that broke off.
#[derive(Debug, thiserror::Error)]
pub enum AcpError {
    /// The agent answered with an error, or went away.
    #[error("the agent broke off: {0}")]
    Agent(String),
    /// The agent cannot continue sessions.
    #[error("the agent cannot continue a session; start a new turn with the message in its prompt")]
    CannotResume,
}

/// What the handlers share.
#[derive(Debug)]
struct Ear {
    events: mpsc::Sender<Body>,
    policy: Policy,
    directory: PathBuf,
    /// What a restored session replays is not news.
    live: AtomicBool,
    /// The next words begin an answer.
    fresh: AtomicBool,
    kinds: Mutex<HashMap<String, ToolKind>>,
}

/// Speaks with an agent until its turn is over. Events come out while it goes on.
pub async fn converse<W, R>(
    outgoing: W,
    incoming: R,
    conversation: Conversation,
    mut controls: mpsc::Receiver<Control>,
    events: mpsc::Sender<Body>,
) -> Result<Stopped, AcpError>
where
    W: AsyncWrite + Send + 'static,
    R: AsyncRead + Send + 'static,
{
    let ear = Arc::new(Ear {
        events,
        policy: conversation.policy,
        directory: conversation.directory.clone(),
        live: AtomicBool::new(false),
        fresh: AtomicBool::new(true),
        kinds: Mutex::new(HashMap::new()),
    });
    let (hearing, asked, speaking) = (Arc::clone(&ear), Arc::clone(&ear), ear);
    let transport = ByteStreams::new(outgoing.compat_write(), incoming.compat());
    let talk = Client
        .v1()
        .name("forge")
        .on_receive_notification(
            async move |news: SessionNotification, _connection| {
                hearing.update(news.update).await;
                Ok(())
            },
            agent_client_protocol::on_receive_notification!(),
        )
        .on_receive_request(
            async move |request: RequestPermissionRequest, responder, _connection| {
                let outcome = asked.decide(request).await;
                responder.respond(RequestPermissionResponse::new(outcome))
            },
            agent_client_protocol::on_receive_request!(),
        )
        .connect_with(transport, async |connection: ConnectionTo<Agent>| {
            // A refusal of our own is no error of the connection.
            let Some((session, lasts)) = open(&connection, &conversation).await? else {
                return Ok(None);
            };
            // One that nobody can go on with is not told, so that nobody tries.
            if lasts {
                speaking.tell(Body::Session { id: session.to_string() }).await;
            }
            speaking.live.store(true, Ordering::SeqCst);
            speaking
                .speak(&connection, session, conversation.prompt.clone(), &mut controls)
                .await
                .map(Some)
        });
    match Box::pin(talk).await {
        Ok(Some(stopped)) => Ok(stopped),
        Ok(None) => Err(AcpError::CannotResume),
        Err(error) => Err(AcpError::Agent(worded(&error))),
    }
}

/// The message and what the agent added to it.
fn worded(error: &Error) -> String {
    match &error.data {
        Some(Value::String(data)) => format!("{}: {data}", error.message),
        Some(data) => format!("{}: {data}", error.message),
        None => error.message.clone(),
    }
}

/// A session, and whether it can be continued later; none if one is to be continued and the agent cannot.
async fn open(
    connection: &ConnectionTo<Agent>,
    conversation: &Conversation,
) -> Result<Option<(SessionId, bool)>, Error> {
    let hello = InitializeRequest::new(ProtocolVersion::V1);
    let agent = connection.send_request(hello).block_task().await?.agent_capabilities;
    let lasts = agent.session_capabilities.resume.is_some() || agent.load_session;
    let directory = conversation.directory.clone();
    let Some(resume) = &conversation.resume else {
        let request = NewSessionRequest::new(directory);
        let session = connection.send_request(request).block_task().await?.session_id;
        return Ok(Some((session, lasts)));
    };
    let id = SessionId::new(resume.as_str());
    // Resuming does not replay what was said; loading does.
    if agent.session_capabilities.resume.is_some() {
        let request = ResumeSessionRequest::new(id.clone(), directory);
        connection.send_request(request).block_task().await?;
    } else if agent.load_session {
        let request = LoadSessionRequest::new(id.clone(), directory);
        connection.send_request(request).block_task().await?;
    } else {
        return Ok(None);
    }
    Ok(Some((id, lasts)))
}

impl Ear {
    async fn tell(&self, body: Body) {
        // Whoever listened has gone: so will we.
        let _ = self.events.send(body).await;
    }

    async fn speak(
        &self,
        connection: &ConnectionTo<Agent>,
        session: SessionId,
        mut words: String,
        controls: &mut mpsc::Receiver<Control>,
    ) -> Result<Stopped, Error> {
        let (mut open, mut cancelled) = (true, false);
        let mut taken: Vec<Uuid> = Vec::new();
        loop {
            self.fresh.store(true, Ordering::SeqCst);
            // Only now: what a turn that breaks off was about to hear has not been said.
            for id in taken.drain(..) {
                self.tell(Body::steered(id)).await;
            }
            let prompt = vec![ContentBlock::Text(TextContent::new(std::mem::take(&mut words)))];
            let request = PromptRequest::new(session.clone(), prompt);
            let mut answer = std::pin::pin!(connection.send_request(request).block_task());
            let reason = loop {
                tokio::select! {
                    response = &mut answer => break response?.stop_reason,
                    control = controls.recv(), if open => {
                        match control {
                            Some(Control::Steer { id, words: more }) => {
                                words.push_str(if words.is_empty() { "" } else { "\n\n" });
                                words.push_str(&more);
                                taken.push(id);
                            }
                            Some(Control::Cancel) => cancelled = true,
                            None => {
                                open = false;
                                continue;
                            }
                        }
                        connection.send_notification(CancelNotification::new(session.clone()))?;
                    }
                }
            };
            let status = serde_json::to_value(reason).unwrap_or_default();
            let status = status.as_str().unwrap_or("stopped").to_owned();
            self.tell(Body::Status { status: status.clone(), raw: Value::Null }).await;
            if cancelled {
                return Ok(Stopped::Cancelled);
            }
            if words.is_empty() {
                return Ok(match reason {
                    StopReason::EndTurn => Stopped::Done,
                    StopReason::Cancelled => Stopped::Cancelled,
                    _ => {
                        self.tell(Body::error(format!("the agent stopped early: {status}"))).await;
                        Stopped::Short
                    }
                });
            }
        }
    }

    async fn update(&self, update: SessionUpdate) {
        if !self.live.load(Ordering::SeqCst) {
            return;
        }
        let raw = serde_json::to_value(&update).unwrap_or_default();
        let body = match update {
            SessionUpdate::AgentMessageChunk(chunk) => {
                let partial = !self.fresh.swap(false, Ordering::SeqCst);
                Body::Assistant { text: text_of(&chunk.content), partial }
            }
            SessionUpdate::AgentThoughtChunk(chunk) => {
                Body::Thinking { text: text_of(&chunk.content) }
            }
            SessionUpdate::ToolCall(call) => {
                let id = call.tool_call_id.to_string();
                self.remember(&id, call.kind);
                let name = call.name.unwrap_or(call.title);
                Body::ToolCall { id: Some(id), name, input: call.raw_input.unwrap_or_default() }
            }
            SessionUpdate::ToolCallUpdate(update) => self.tool_update(update, raw),
            SessionUpdate::UsageUpdate(used) => {
                let cost = used.cost.filter(|cost| cost.currency == "USD").map(|cost| cost.amount);
                let usage = Usage { cost_usd: cost, ..Usage::default() };
                if cost.is_some() { Body::Usage { usage, adds: false } } else { other(raw) }
            }
            _ => other(raw),
        };
        self.tell(body).await;
    }

    fn tool_update(&self, update: ToolCallUpdate, raw: Value) -> Body {
        let id = update.tool_call_id.to_string();
        let fields = update.fields;
        if let Some(kind) = fields.kind {
            self.remember(&id, kind);
        }
        let failed = match fields.status {
            Some(ToolCallStatus::Completed) => false,
            Some(ToolCallStatus::Failed) => true,
            _ => return other(raw),
        };
        let shown: Vec<String> = fields.content.iter().flatten().map(content_text).collect();
        let output = match (shown.is_empty(), fields.raw_output) {
            (true, Some(Value::String(text))) => text,
            (true, Some(value)) => value.to_string(),
            _ => shown.join("\n"),
        };
        Body::ToolResult { id: Some(id), output, failed }
    }

    fn remember(&self, id: &str, kind: ToolKind) {
        let mut kinds = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        kinds.insert(id.to_owned(), kind);
    }

    async fn decide(&self, request: RequestPermissionRequest) -> RequestPermissionOutcome {
        let call = &request.tool_call;
        let id = call.tool_call_id.to_string();
        let known = self.kinds.lock().unwrap_or_else(PoisonError::into_inner).get(&id).copied();
        let kind = call.fields.kind.or(known).unwrap_or_default();
        let places = call.fields.locations.iter().flatten().map(|location| location.path.as_path());
        let allowed = allows(self.policy, kind, &self.directory, places);
        let wanted = if allowed {
            [PermissionOptionKind::AllowOnce, PermissionOptionKind::AllowAlways]
        } else {
            [PermissionOptionKind::RejectOnce, PermissionOptionKind::RejectAlways]
        };
        let choice = wanted
            .iter()
            .find_map(|kind| request.options.iter().find(|option| option.kind == *kind));
        let raw = json!({ "tool_call": id, "tool_kind": kind, "policy": self.policy, "allowed": allowed });
        self.tell(Body::Status { status: "permission".to_owned(), raw }).await;
        match choice {
            Some(option) => {
                let id = option.option_id.clone();
                RequestPermissionOutcome::Selected(SelectedPermissionOutcome::new(id))
            }
            None => RequestPermissionOutcome::Cancelled,
        }
    }
}

/// Whether a policy allows this. What an agent does not name a kind for could be anything.
fn allows<'a>(
    policy: Policy,
    kind: ToolKind,
    directory: &Path,
    mut places: impl Iterator<Item = &'a Path>,
) -> bool {
    let reads =
        matches!(kind, ToolKind::Read | ToolKind::Search | ToolKind::Think | ToolKind::Fetch);
    let writes = matches!(kind, ToolKind::Edit | ToolKind::Delete | ToolKind::Move);
    match policy {
        Policy::Plan => reads,
        Policy::Edit => reads || (writes && places.all(|place| is_inside(place, directory))),
        Policy::Full => true,
    }
}

fn is_inside(place: &Path, directory: &Path) -> bool {
    let climbs = place.components().any(|part| part == Component::ParentDir);
    !climbs && (place.is_relative() || place.starts_with(directory))
}

fn other(raw: Value) -> Body {
    let status = raw.get("sessionUpdate").and_then(Value::as_str).unwrap_or("update").to_owned();
    Body::Status { status, raw }
}

fn text_of(content: &ContentBlock) -> String {
    match content {
        ContentBlock::Text(text) => text.text.clone(),
        other => serde_json::to_string(other).unwrap_or_default(),
    }
}

fn content_text(content: &ToolCallContent) -> String {
    match content {
        ToolCallContent::Content(content) => text_of(&content.content),
        other => serde_json::to_string(other).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e_1_a_policy_decides_by_kind_and_place() {
        let here = Path::new("/desk/tree");
        let allowed = |policy, kind, place: &str| {
            allows(policy, kind, here, std::iter::once(Path::new(place)))
        };
        assert!(allowed(Policy::Plan, ToolKind::Read, "/etc/hosts"));
        assert!(!allowed(Policy::Plan, ToolKind::Edit, "/desk/tree/a"));
        assert!(allowed(Policy::Edit, ToolKind::Edit, "/desk/tree/a"));
        assert!(allowed(Policy::Edit, ToolKind::Delete, "a"));
        for outside in ["/desk/tree2/a", "/desk/tree/../b", "../b", "/etc/hosts"] {
            assert!(!allowed(Policy::Edit, ToolKind::Edit, outside), "{outside}");
        }
        for kind in [ToolKind::Execute, ToolKind::Other, ToolKind::SwitchMode] {
            assert!(!allowed(Policy::Edit, kind, "a"));
            assert!(allowed(Policy::Full, kind, "a"));
        }
    }
}
