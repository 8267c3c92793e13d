//! The Agent Client Protocol (ACP). Its crate changes often, so only this file and [`crate::acp::tool_calls`] use it.

use crate::acp::tool_calls::ToolCalls;
use crate::adapter::safe_argument::SafeArgument;
use crate::stream::{ReportedUsage, TranscriptEventBody};
use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    CancelNotification, ContentBlock, InitializeRequest, LoadSessionRequest, NewSessionRequest,
    PermissionOptionKind, PromptRequest, RequestPermissionOutcome, RequestPermissionRequest,
    RequestPermissionResponse, ResumeSessionRequest, SelectedPermissionOutcome, SessionId,
    SessionNotification, SessionUpdate, StopReason, TextContent, ToolCallContent, ToolCallStatus,
    ToolCallUpdate, Usage as TurnTokens,
};
use agent_client_protocol::{Agent, ByteStreams, Client, Error};
use forge_domain::PermissionPolicy;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;
use tokio_util::compat::{TokioAsyncReadCompatExt as _, TokioAsyncWriteCompatExt as _};
use uuid::Uuid;

/// One execution of an agent that speaks ACP.
#[derive(Debug, Clone)]
pub struct AcpConversation {
    /// The worktree, as an absolute path.
    pub directory: PathBuf,
    /// The session to continue.
    pub resume: Option<SafeArgument>,
    pub prompt: String,
    /// What the agent may do when it asks for permission.
    pub policy: PermissionPolicy,
}

/// Messages to a running execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnControl {
    /// Interrupts the agent with a new message. The protocol has no such request, so the prompt turn is cancelled and
    /// the message starts the next one of the same session.
    Steer {
        /// Id that the acknowledgement of the message carries.
        id: Uuid,
        words: String,
    },
    /// Cancels the execution.
    Cancel,
}

/// How the conversation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AcpStopReason {
    /// The agent finished its work.
    Done,
    /// The agent reached a limit or refused.
    StoppedEarly,
    /// The server cancelled it.
    Cancelled,
}

/// Why a conversation broke off.
#[derive(Debug, thiserror::Error)]
pub enum AcpError {
    /// The agent answered with an error, or exited.
    #[error("the agent broke off: {0}")]
    Agent(String),
    /// The agent cannot continue sessions.
    #[error(
        "the agent cannot continue a session; start a new execution with the message in its prompt"
    )]
    CannotResume,
}

/// State shared by the protocol handlers.
#[derive(Debug)]
struct AcpSession {
    events: mpsc::Sender<TranscriptEventBody>,
    policy: PermissionPolicy,
    directory: PathBuf,
    /// False while a restored session replays its history.
    is_live: AtomicBool,
    /// Whether the next text starts a new answer.
    starts_answer: AtomicBool,
    calls: Mutex<ToolCalls>,
    cost: Mutex<SessionCost>,
}

/// Cost of the session in US dollars.
#[derive(Debug, Default)]
struct SessionCost {
    /// The last reported total, with all earlier executions.
    reported: Option<f64>,
    /// The part that is already in events.
    emitted: f64,
}

/// Talks with an agent until its work is done. Events are sent while it works.
pub async fn run_acp_conversation<W, R>(
    outgoing: W,
    incoming: R,
    conversation: AcpConversation,
    mut controls: mpsc::Receiver<TurnControl>,
    events: mpsc::Sender<TranscriptEventBody>,
) -> Result<AcpStopReason, AcpError>
where
    W: AsyncWrite + Send + 'static,
    R: AsyncRead + Send + 'static,
{
    let ear = Arc::new(AcpSession {
        events,
        policy: conversation.policy,
        directory: conversation.directory.clone(),
        is_live: AtomicBool::new(false),
        starts_answer: AtomicBool::new(true),
        calls: Mutex::default(),
        cost: Mutex::default(),
    });
    let (hearing, asked, speaking) = (Arc::clone(&ear), Arc::clone(&ear), ear);
    let transport = ByteStreams::new(outgoing.compat_write(), incoming.compat());
    let talk = Client
        .v1()
        .name("forge")
        .on_receive_notification(
            async move |news: SessionNotification, _connection| {
                hearing.handle_update(news.update).await;
                Ok(())
            },
            agent_client_protocol::on_receive_notification!(),
        )
        .on_receive_request(
            async move |request: RequestPermissionRequest, responder, _connection| {
                let outcome = asked.decide_permission(request).await;
                responder.respond(RequestPermissionResponse::new(outcome))
            },
            agent_client_protocol::on_receive_request!(),
        )
        .connect_with(transport, async |connection: ConnectionTo<Agent>| {
            // A refusal by this client is not a connection error.
            let Some((session, lasts)) = open_session(&connection, &conversation).await? else {
                return Ok(None);
            };
            // The id of a session that cannot be continued is not reported, so that no later execution tries.
            if lasts {
                speaking.emit(TranscriptEventBody::Session { id: session.to_string() }).await;
            }
            speaking.is_live.store(true, Ordering::SeqCst);
            speaking
                .run_prompt_turns(&connection, session, conversation.prompt.clone(), &mut controls)
                .await
                .map(Some)
        });
    match Box::pin(talk).await {
        Ok(Some(stopped)) => Ok(stopped),
        Ok(None) => Err(AcpError::CannotResume),
        Err(error) => Err(AcpError::Agent(error_text(&error))),
    }
}

/// The error message, with the agent's details.
fn error_text(error: &Error) -> String {
    match &error.data {
        Some(Value::String(data)) => format!("{}: {data}", error.message),
        Some(data) => format!("{}: {data}", error.message),
        None => error.message.clone(),
    }
}

/// Opens a session and says whether it can be continued later; `None` if the caller wants to continue one and the
/// agent cannot.
async fn open_session(
    connection: &ConnectionTo<Agent>,
    conversation: &AcpConversation,
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
    // Resuming does not replay earlier messages; loading does.
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

impl AcpSession {
    async fn emit(&self, body: TranscriptEventBody) {
        // The receiver is gone only when the bridge is ending.
        let _ = self.events.send(body).await;
    }

    async fn run_prompt_turns(
        &self,
        connection: &ConnectionTo<Agent>,
        session: SessionId,
        mut words: String,
        controls: &mut mpsc::Receiver<TurnControl>,
    ) -> Result<AcpStopReason, Error> {
        let (mut open, mut cancelled) = (true, false);
        let mut taken: Vec<Uuid> = Vec::new();
        loop {
            self.starts_answer.store(true, Ordering::SeqCst);
            // Acknowledged only now: if the turn had broken off before this prompt, the agent would not have received
            // the message.
            for id in taken.drain(..) {
                self.emit(TranscriptEventBody::steered(id)).await;
            }
            let prompt = vec![ContentBlock::Text(TextContent::new(std::mem::take(&mut words)))];
            let request = PromptRequest::new(session.clone(), prompt);
            let mut answer = std::pin::pin!(connection.send_request(request).block_task());
            let response = loop {
                tokio::select! {
                    response = &mut answer => break response,
                    control = controls.recv(), if open => {
                        match control {
                            Some(TurnControl::Steer { id, words: more }) => {
                                words.push_str(if words.is_empty() { "" } else { "\n\n" });
                                words.push_str(&more);
                                taken.push(id);
                            }
                            Some(TurnControl::Cancel) => cancelled = true,
                            None => {
                                open = false;
                                continue;
                            }
                        }
                        connection.send_notification(CancelNotification::new(session.clone()))?;
                    }
                }
            };
            let calls = self.calls().emit_pending();
            for call in calls {
                self.emit(call).await;
            }
            let tokens = response.as_ref().ok().and_then(|response| response.usage.as_ref());
            self.emit_usage(tokens).await;
            let reason = response?.stop_reason;
            let status = serde_json::to_value(reason).unwrap_or_default();
            let status = status.as_str().unwrap_or("stopped").to_owned();
            self.emit(TranscriptEventBody::Status { status: status.clone(), raw: Value::Null })
                .await;
            if cancelled {
                return Ok(AcpStopReason::Cancelled);
            }
            if words.is_empty() {
                return Ok(match reason {
                    StopReason::EndTurn => AcpStopReason::Done,
                    StopReason::Cancelled => AcpStopReason::Cancelled,
                    _ => {
                        self.emit(TranscriptEventBody::error(format!(
                            "the agent stopped early: {status}"
                        )))
                        .await;
                        AcpStopReason::StoppedEarly
                    }
                });
            }
        }
    }

    async fn handle_update(&self, update: SessionUpdate) {
        if !self.is_live.load(Ordering::SeqCst) {
            return;
        }
        let raw = serde_json::to_value(&update).unwrap_or_default();
        let body = match update {
            SessionUpdate::AgentMessageChunk(chunk) => {
                let partial = !self.starts_answer.swap(false, Ordering::SeqCst);
                TranscriptEventBody::Assistant { text: text_of(&chunk.content), partial }
            }
            SessionUpdate::AgentThoughtChunk(chunk) => {
                TranscriptEventBody::Thinking { text: text_of(&chunk.content) }
            }
            SessionUpdate::ToolCall(call) => {
                let begun = self.calls().begin(call);
                begun.unwrap_or_else(|| other_event(raw))
            }
            SessionUpdate::ToolCallUpdate(update) => {
                let (call, body) = self.handle_tool_update(update, raw);
                if let Some(call) = call {
                    self.emit(call).await;
                }
                body
            }
            SessionUpdate::UsageUpdate(used) => {
                let cost = used.cost.filter(|cost| cost.currency == "USD").map(|cost| cost.amount);
                let mut known = self.cost.lock().unwrap_or_else(PoisonError::into_inner);
                known.reported = cost.or(known.reported);
                other_event(raw)
            }
            _ => other_event(raw),
        };
        self.emit(body).await;
    }

    /// The call event, if it was not sent yet and its input is complete, and the event of the update.
    fn handle_tool_update(
        &self,
        update: ToolCallUpdate,
        raw: Value,
    ) -> (Option<TranscriptEventBody>, TranscriptEventBody) {
        let id = update.tool_call_id.to_string();
        let fields = update.fields;
        let mut calls = self.calls();
        calls.update(&id, &fields);
        let failed = match fields.status {
            Some(ToolCallStatus::Completed) => false,
            Some(ToolCallStatus::Failed) => true,
            _ => return (None, other_event(raw)),
        };
        let shown: Vec<String> = fields.content.iter().flatten().map(content_text).collect();
        let output = match (shown.is_empty(), fields.raw_output) {
            (true, Some(Value::String(text))) => text,
            (true, Some(value)) => value.to_string(),
            _ => shown.join("\n"),
        };
        (calls.emit(&id), TranscriptEventBody::ToolResult { id: Some(id), output, failed })
    }

    fn calls(&self) -> MutexGuard<'_, ToolCalls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends what the last prompt turn used, on top of what was reported before.
    async fn emit_usage(&self, tokens: Option<&TurnTokens>) {
        let cost = {
            let mut known = self.cost.lock().unwrap_or_else(PoisonError::into_inner);
            let news = known.reported.map(|named| (named - known.emitted).max(0.0));
            known.emitted = known.reported.unwrap_or(known.emitted).max(known.emitted);
            news
        };
        if tokens.is_none() && cost.is_none() {
            return;
        }
        let mut usage = ReportedUsage { cost_usd: cost, ..ReportedUsage::default() };
        if let Some(tokens) = tokens {
            let cached = tokens.cached_read_tokens.unwrap_or(0);
            let beside = cached.saturating_add(tokens.cached_write_tokens.unwrap_or(0));
            usage.input_tokens = tokens.input_tokens.saturating_add(beside);
            usage.cached_tokens = cached;
            usage.output_tokens = tokens.output_tokens;
        }
        self.emit(TranscriptEventBody::Usage { usage, adds: true }).await;
    }

    async fn decide_permission(
        &self,
        request: RequestPermissionRequest,
    ) -> RequestPermissionOutcome {
        let id = request.tool_call.tool_call_id.to_string();
        let (call, news) = {
            let mut calls = self.calls();
            calls.update(&id, &request.tool_call.fields);
            (calls.get(&id), calls.emit(&id))
        };
        if let Some(news) = news {
            self.emit(news).await;
        }
        let allowed = call.is_allowed(self.policy, &self.directory);
        let wanted = if allowed {
            [PermissionOptionKind::AllowOnce, PermissionOptionKind::AllowAlways]
        } else {
            [PermissionOptionKind::RejectOnce, PermissionOptionKind::RejectAlways]
        };
        let choice = wanted
            .iter()
            .find_map(|kind| request.options.iter().find(|option| option.kind == *kind));
        let kind = call.kind();
        let raw = json!({ "tool_call": id, "tool_kind": kind, "policy": self.policy, "allowed": allowed });
        self.emit(TranscriptEventBody::Status { status: "permission".to_owned(), raw }).await;
        if !allowed {
            self.emit(call.refusal_event(&id, self.policy)).await;
        }
        match choice {
            Some(option) => {
                let id = option.option_id.clone();
                RequestPermissionOutcome::Selected(SelectedPermissionOutcome::new(id))
            }
            None => RequestPermissionOutcome::Cancelled,
        }
    }
}

fn other_event(raw: Value) -> TranscriptEventBody {
    let status = raw.get("sessionUpdate").and_then(Value::as_str).unwrap_or("update").to_owned();
    TranscriptEventBody::Status { status, raw }
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
