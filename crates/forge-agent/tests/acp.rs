//! Conversations with a scripted agent that writes protocol messages directly: its lines come from the protocol's
//! specification, not from the library under test.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_agent::{
    AcpConversation, AcpError, AcpStopReason, AgentAdapter, AgentKind, ExecutionSummary,
    SafeArgument, StreamParser, StreamSource, TranscriptEventBody, TurnControl,
    run_acp_conversation,
};
use forge_domain::{ExecutionEnding, PermissionPolicy, Timestamp};
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};
use tokio::sync::mpsc;
use uuid::Uuid;

/// The agent's end of the connection.
struct ScriptedAgent {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    out: WriteHalf<DuplexStream>,
}

impl ScriptedAgent {
    async fn next_message(&mut self) -> Value {
        let line = self.lines.next_line().await.expect("is open").expect("says something");
        serde_json::from_str(&line).expect("is JSON")
    }

    /// The next message, which must be a request or notification of this method.
    async fn expect_method(&mut self, method: &str) -> Value {
        let message = self.next_message().await;
        assert_eq!(message["method"], method, "{message}");
        message
    }

    async fn send(&mut self, message: Value) {
        self.out.write_all(format!("{message}\n").as_bytes()).await.expect("is heard");
    }

    async fn answer(&mut self, request: &Value, result: Value) {
        self.send(json!({ "jsonrpc": "2.0", "id": request["id"], "result": result })).await;
    }

    async fn update(&mut self, update: Value) {
        let params = json!({ "sessionId": "s-1", "update": update });
        self.send(json!({ "jsonrpc": "2.0", "method": "session/update", "params": params })).await;
    }

    async fn send_text(&mut self, text: &str) {
        let content = json!({ "type": "text", "text": text });
        self.update(json!({ "sessionUpdate": "agent_message_chunk", "content": content })).await;
    }

    async fn answer_initialize(&mut self, capabilities: Value) {
        let request = self.expect_method("initialize").await;
        self.answer(&request, json!({ "protocolVersion": 1, "agentCapabilities": capabilities }))
            .await;
    }

    async fn answer_new_session(&mut self) {
        self.answer_initialize(json!({ "loadSession": true })).await;
        let request = self.expect_method("session/new").await;
        assert_eq!(request["params"]["cwd"], "/desk");
        self.answer(&request, json!({ "sessionId": "s-1" })).await;
    }

    async fn expect_prompt(&mut self, words: &str) -> Value {
        let request = self.expect_method("session/prompt").await;
        assert_eq!(request["params"]["prompt"][0]["text"], words, "{request}");
        request
    }

    /// Requests permission and returns the option that was chosen.
    async fn request_permission(&mut self, id: u32, kind: &str, path: &str) -> Value {
        let call = json!({ "toolCallId": format!("c{id}"), "kind": kind, "locations": [{ "path": path }] });
        self.request_permission_for(id, call).await
    }

    /// The same for an edit whose request names only the call.
    async fn request_permission_without_path(&mut self, id: u32) -> Value {
        self.request_permission_for(id, json!({ "toolCallId": format!("c{id}"), "kind": "edit" }))
            .await
    }

    async fn request_permission_for(&mut self, id: u32, call: Value) -> Value {
        let options = json!([
            { "optionId": "always", "name": "Always", "kind": "allow_always" },
            { "optionId": "yes", "name": "Yes", "kind": "allow_once" },
            { "optionId": "no", "name": "No", "kind": "reject_once" },
        ]);
        let params = json!({ "sessionId": "s-1", "toolCall": call, "options": options });
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": "session/request_permission", "params": params })).await;
        let answer = self.next_message().await;
        assert_eq!(answer["id"], id, "{answer}");
        answer["result"]["outcome"]["optionId"].clone()
    }
}

struct ConversationResult {
    result: Result<AcpStopReason, AcpError>,
    events: Vec<TranscriptEventBody>,
}

impl ConversationResult {
    /// Parses the bridge's output as the server does.
    fn final_text(&self) -> String {
        self.summary().final_text
    }

    fn summary(&self) -> ExecutionSummary {
        let mut parser = StreamParser::new(AgentAdapter::of(AgentKind::Acp).expect("loads"));
        for event in &self.events {
            let line = format!("{}\n", serde_json::to_string(event).expect("is JSON"));
            parser.feed(StreamSource::Stdout, line.as_bytes(), &mut |_| {});
        }
        parser.finish(ExecutionEnding::Exited { code: 0 }, Timestamp::from_millis(0), &mut |_| {})
    }
}

fn conversation(policy: PermissionPolicy, resume: Option<&str>) -> AcpConversation {
    AcpConversation {
        directory: "/desk".into(),
        resume: resume.map(|id| SafeArgument::new(id).expect("is harmless")),
        prompt: "do it".into(),
        policy,
    }
}

async fn run_conversation<F>(
    conversation: AcpConversation,
    controls: mpsc::Receiver<TurnControl>,
    play: impl FnOnce(ScriptedAgent) -> F,
) -> ConversationResult
where
    F: Future<Output = ()> + Send + 'static,
{
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (input, out) = tokio::io::split(theirs);
    let played = tokio::spawn(play(ScriptedAgent { lines: BufReader::new(input).lines(), out }));
    let (incoming, outgoing) = tokio::io::split(ours);
    let (sender, mut heard) = mpsc::channel(8);
    let collect = async {
        let mut events = Vec::new();
        while let Some(event) = heard.recv().await {
            events.push(event);
        }
        events
    };
    let (result, events) = tokio::join!(
        run_acp_conversation(outgoing, incoming, conversation, controls, sender),
        collect
    );
    played.await.expect("the script came to its end");
    ConversationResult { result, events }
}

fn no_controls() -> mpsc::Receiver<TurnControl> {
    mpsc::channel(1).1
}

#[tokio::test]
async fn e_1_an_acp_turn_becomes_events() {
    let talk = run_conversation(conversation(PermissionPolicy::Full, None), no_controls(), async |mut agent: ScriptedAgent| {
        agent.answer_new_session().await;
        let prompt = agent.expect_prompt("do it").await;
        let thought = json!({ "type": "text", "text": "hm" });
        agent.update(json!({ "sessionUpdate": "agent_thought_chunk", "content": thought })).await;
        agent.send_text("Let me see. ").await;
        agent.update(json!({ "sessionUpdate": "tool_call", "toolCallId": "c1", "title": "Read a", "kind": "read", "rawInput": { "path": "a" } })).await;
        agent.update(json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c1", "status": "in_progress" })).await;
        let content = json!([{ "type": "content", "content": { "type": "text", "text": "contents" } }]);
        agent.update(json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c1", "status": "completed", "content": content })).await;
        agent.send_text("All ").await;
        agent.send_text("done").await;
        agent.answer(&prompt, json!({ "stopReason": "end_turn" })).await;
    })
    .await;
    assert!(matches!(talk.result, Ok(AcpStopReason::Done)), "{:?}", talk.result);
    assert_eq!(talk.events.first(), Some(&TranscriptEventBody::Session { id: "s-1".into() }));
    let call = TranscriptEventBody::ToolCall {
        id: Some("c1".into()),
        name: "Read a".into(),
        input: json!({ "path": "a" }),
    };
    assert!(talk.events.contains(&call), "{:?}", talk.events);
    let result = TranscriptEventBody::ToolResult {
        id: Some("c1".into()),
        output: "contents".into(),
        failed: false,
    };
    assert!(talk.events.contains(&result), "{:?}", talk.events);
    assert!(talk.events.contains(&TranscriptEventBody::Thinking { text: "hm".into() }));
    assert_eq!(talk.final_text(), "All done");
}

#[tokio::test]
async fn e_1_permissions_follow_the_policy() {
    for (policy, read, edit, outside, run) in [
        (PermissionPolicy::Plan, "yes", "no", "no", "no"),
        (PermissionPolicy::Edit, "yes", "yes", "no", "no"),
        (PermissionPolicy::Full, "yes", "yes", "yes", "yes"),
    ] {
        let talk = run_conversation(
            conversation(policy, None),
            no_controls(),
            async move |mut agent: ScriptedAgent| {
                agent.answer_new_session().await;
                let prompt = agent.expect_prompt("do it").await;
                assert_eq!(agent.request_permission(1, "read", "/etc/hosts").await, read);
                assert_eq!(agent.request_permission(2, "edit", "/desk/a").await, edit);
                assert_eq!(agent.request_permission(3, "edit", "/elsewhere/a").await, outside);
                assert_eq!(agent.request_permission(4, "execute", "/desk").await, run);
                agent.answer(&prompt, json!({ "stopReason": "end_turn" })).await;
            },
        )
        .await;
        assert!(matches!(talk.result, Ok(AcpStopReason::Done)), "{policy}: {:?}", talk.result);
    }
}

#[tokio::test]
async fn e_7_a_loaded_session_does_not_repeat_its_history() {
    let talk = run_conversation(
        conversation(PermissionPolicy::Edit, Some("s-1")),
        no_controls(),
        async |mut agent: ScriptedAgent| {
            agent.answer_initialize(json!({ "loadSession": true })).await;
            let request = agent.expect_method("session/load").await;
            assert_eq!(request["params"]["sessionId"], "s-1");
            agent.send_text("what I said yesterday").await;
            agent.answer(&request, json!({})).await;
            let prompt = agent.expect_prompt("do it").await;
            agent.send_text("today").await;
            agent.answer(&prompt, json!({ "stopReason": "end_turn" })).await;
        },
    )
    .await;
    assert!(matches!(talk.result, Ok(AcpStopReason::Done)), "{:?}", talk.result);
    assert_eq!(talk.final_text(), "today");
    assert!(!format!("{:?}", talk.events).contains("yesterday"));
}

#[tokio::test]
async fn e_7_an_agent_that_cannot_resume_is_refused() {
    let talk = run_conversation(
        conversation(PermissionPolicy::Edit, Some("s-1")),
        no_controls(),
        async |mut agent: ScriptedAgent| {
            agent.answer_initialize(json!({})).await;
        },
    )
    .await;
    assert!(matches!(talk.result, Err(AcpError::CannotResume)), "{:?}", talk.result);
}

#[tokio::test]
async fn e_7_a_steer_message_reaches_the_agent_in_the_middle_of_its_turn() {
    let (controls, receiver) = mpsc::channel(4);
    let talk = run_conversation(
        conversation(PermissionPolicy::Edit, None),
        receiver,
        async move |mut agent: ScriptedAgent| {
            agent.answer_new_session().await;
            let first = agent.expect_prompt("do it").await;
            agent.send_text("I will use tabs").await;
            let (id, words) = (Uuid::from_u128(9), "use spaces".into());
            controls.send(TurnControl::Steer { id, words }).await.expect("is heard");
            agent.expect_method("session/cancel").await;
            agent.answer(&first, json!({ "stopReason": "cancelled" })).await;
            let second = agent.expect_prompt("use spaces").await;
            agent.send_text("spaces it is").await;
            agent.answer(&second, json!({ "stopReason": "end_turn" })).await;
        },
    )
    .await;
    assert!(matches!(talk.result, Ok(AcpStopReason::Done)), "{:?}", talk.result);
    assert_eq!(talk.final_text(), "spaces it is");
    assert_eq!(talk.summary().steered, [Uuid::from_u128(9)], "the message is acknowledged");
}

#[tokio::test]
async fn e_4_a_cancelled_turn_ends() {
    let (controls, receiver) = mpsc::channel(4);
    let talk = run_conversation(
        conversation(PermissionPolicy::Edit, None),
        receiver,
        async move |mut agent: ScriptedAgent| {
            agent.answer_new_session().await;
            let prompt = agent.expect_prompt("do it").await;
            controls.send(TurnControl::Cancel).await.expect("is heard");
            let cancel = agent.expect_method("session/cancel").await;
            assert_eq!(cancel["params"]["sessionId"], "s-1");
            agent.answer(&prompt, json!({ "stopReason": "cancelled" })).await;
        },
    )
    .await;
    assert!(matches!(talk.result, Ok(AcpStopReason::Cancelled)), "{:?}", talk.result);
}

#[tokio::test]
async fn e_9_an_error_or_a_death_is_reported() {
    let refused = run_conversation(
        conversation(PermissionPolicy::Edit, None),
        no_controls(),
        async |mut agent: ScriptedAgent| {
            agent.answer_initialize(json!({})).await;
            let request = agent.expect_method("session/new").await;
            let error = json!({ "code": -32000, "message": "Authentication required" });
            agent.send(json!({ "jsonrpc": "2.0", "id": request["id"], "error": error })).await;
        },
    )
    .await;
    let error = refused.result.expect_err("is refused").to_string();
    assert!(error.contains("Authentication required"), "{error}");
    let died = run_conversation(
        conversation(PermissionPolicy::Edit, None),
        no_controls(),
        async |mut agent: ScriptedAgent| {
            agent.answer_new_session().await;
            agent.expect_prompt("do it").await;
        },
    )
    .await;
    assert!(matches!(died.result, Err(AcpError::Agent(_))), "{:?}", died.result);
}

/// The path of an edit is named when the call begins; the permission request need not repeat it.
#[tokio::test]
async fn issue_13_10_a_path_from_an_earlier_update_counts() {
    let talk = run_conversation(conversation(PermissionPolicy::Edit, None), no_controls(), async |mut agent: ScriptedAgent| {
        agent.answer_new_session().await;
        let prompt = agent.expect_prompt("do it").await;
        for (id, path, answer) in [(1, "/elsewhere/a", "no"), (2, "/desk/a", "yes")] {
            let call = format!("c{id}");
            agent.update(json!({ "sessionUpdate": "tool_call", "toolCallId": call, "title": "Write", "kind": "edit", "rawInput": {}, "locations": [{ "path": path }] })).await;
            assert_eq!(agent.request_permission_without_path(id).await, answer, "{path}");
        }
        assert_eq!(agent.request_permission_without_path(3).await, "no", "it could be anywhere");
        let diff = json!([{ "type": "diff", "path": "/elsewhere/b", "oldText": null, "newText": "x" }]);
        agent.update(json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c2", "content": diff })).await;
        assert_eq!(agent.request_permission_without_path(2).await, "no", "a later place counts too");
        agent.answer(&prompt, json!({ "stopReason": "end_turn" })).await;
    })
    .await;
    assert!(matches!(talk.result, Ok(AcpStopReason::Done)), "{:?}", talk.result);
    let refused: Vec<_> = talk.summary().refused.into_iter().map(|refused| refused.tool).collect();
    assert_eq!(refused, ["Write", "", "Write"]);
}

#[tokio::test]
async fn issue_13_13_an_acp_execution_reports_tokens_cost_and_tool_inputs() {
    let talk = run_conversation(conversation(PermissionPolicy::Full, None), no_controls(), async |mut agent: ScriptedAgent| {
        agent.answer_new_session().await;
        let prompt = agent.expect_prompt("do it").await;
        agent.update(json!({ "sessionUpdate": "tool_call", "toolCallId": "c1", "title": "Bash", "kind": "execute", "rawInput": {} })).await;
        agent.update(json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c1", "rawInput": { "command": "ma" } })).await;
        agent.update(json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c1", "rawInput": { "command": "make" } })).await;
        agent.update(json!({ "sessionUpdate": "usage_update", "used": 500, "size": 1000, "cost": { "amount": 0.25, "currency": "USD" } })).await;
        agent.update(json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c1", "status": "completed" })).await;
        agent.update(json!({ "sessionUpdate": "usage_update", "used": 600, "size": 1000, "cost": { "amount": 0.5, "currency": "USD" } })).await;
        let usage = json!({ "totalTokens": 190, "inputTokens": 100, "outputTokens": 20, "cachedReadTokens": 60, "cachedWriteTokens": 10 });
        agent.answer(&prompt, json!({ "stopReason": "end_turn", "usage": usage })).await;
    })
    .await;
    let calls: Vec<_> = talk
        .events
        .iter()
        .filter_map(|event| match event {
            TranscriptEventBody::ToolCall { name, input, .. } => {
                Some((name.clone(), input.clone()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(calls, [("Bash".to_owned(), json!({ "command": "make" }))]);
    let usage = talk.summary().usage;
    assert_eq!((usage.input_tokens, usage.cached_tokens, usage.output_tokens), (170, 60, 20));
    assert_eq!(usage.cost_usd, Some(0.5));
}
