//! Conversations with a scripted agent that speaks the protocol by hand: what it writes are the lines of the protocol's
//! specification, not those of the library under test.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_agent::{
    AcpError, Adapter, Body, Control, Conversation, Kind, Parser, Policy, Source, Stopped,
    TurnSummary, Word, converse,
};
use forge_domain::{Ending, Timestamp};
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};
use tokio::sync::mpsc;
use uuid::Uuid;

/// The agent's end of the line.
struct Script {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    out: WriteHalf<DuplexStream>,
}

impl Script {
    async fn hear(&mut self) -> Value {
        let line = self.lines.next_line().await.expect("is open").expect("says something");
        serde_json::from_str(&line).expect("is JSON")
    }

    /// The next message, which is a request or notification of this method.
    async fn hear_method(&mut self, method: &str) -> Value {
        let message = self.hear().await;
        assert_eq!(message["method"], method, "{message}");
        message
    }

    async fn say(&mut self, message: Value) {
        self.out.write_all(format!("{message}\n").as_bytes()).await.expect("is heard");
    }

    async fn answer(&mut self, request: &Value, result: Value) {
        self.say(json!({ "jsonrpc": "2.0", "id": request["id"], "result": result })).await;
    }

    async fn update(&mut self, update: Value) {
        let params = json!({ "sessionId": "s-1", "update": update });
        self.say(json!({ "jsonrpc": "2.0", "method": "session/update", "params": params })).await;
    }

    async fn words(&mut self, text: &str) {
        let content = json!({ "type": "text", "text": text });
        self.update(json!({ "sessionUpdate": "agent_message_chunk", "content": content })).await;
    }

    async fn hello(&mut self, capabilities: Value) {
        let request = self.hear_method("initialize").await;
        self.answer(&request, json!({ "protocolVersion": 1, "agentCapabilities": capabilities }))
            .await;
    }

    async fn new_session(&mut self) {
        self.hello(json!({ "loadSession": true })).await;
        let request = self.hear_method("session/new").await;
        assert_eq!(request["params"]["cwd"], "/desk");
        self.answer(&request, json!({ "sessionId": "s-1" })).await;
    }

    async fn prompted(&mut self, words: &str) -> Value {
        let request = self.hear_method("session/prompt").await;
        assert_eq!(request["params"]["prompt"][0]["text"], words, "{request}");
        request
    }

    /// Asks for permission and returns the option that was chosen.
    async fn ask(&mut self, id: u32, kind: &str, path: &str) -> Value {
        let call = json!({ "toolCallId": format!("c{id}"), "kind": kind, "locations": [{ "path": path }] });
        let options = json!([
            { "optionId": "always", "name": "Always", "kind": "allow_always" },
            { "optionId": "yes", "name": "Yes", "kind": "allow_once" },
            { "optionId": "no", "name": "No", "kind": "reject_once" },
        ]);
        let params = json!({ "sessionId": "s-1", "toolCall": call, "options": options });
        self.say(json!({ "jsonrpc": "2.0", "id": id, "method": "session/request_permission", "params": params })).await;
        let answer = self.hear().await;
        assert_eq!(answer["id"], id, "{answer}");
        answer["result"]["outcome"]["optionId"].clone()
    }
}

struct Talk {
    result: Result<Stopped, AcpError>,
    events: Vec<Body>,
}

impl Talk {
    /// What the server makes of the bridge's output.
    fn final_text(&self) -> String {
        self.summary().final_text
    }

    fn summary(&self) -> TurnSummary {
        let mut parser = Parser::new(Adapter::of(Kind::Acp).expect("loads"));
        for event in &self.events {
            let line = format!("{}\n", serde_json::to_string(event).expect("is JSON"));
            parser.feed(Source::Stdout, line.as_bytes(), &mut |_| {});
        }
        parser.finish(Ending::Exited { code: 0 }, Timestamp::from_millis(0), &mut |_| {})
    }
}

fn conversation(policy: Policy, resume: Option<&str>) -> Conversation {
    Conversation {
        directory: "/desk".into(),
        resume: resume.map(|id| Word::new(id).expect("is harmless")),
        prompt: "do it".into(),
        policy,
    }
}

async fn talk<F>(
    conversation: Conversation,
    controls: mpsc::Receiver<Control>,
    play: impl FnOnce(Script) -> F,
) -> Talk
where
    F: Future<Output = ()> + Send + 'static,
{
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (input, out) = tokio::io::split(theirs);
    let played = tokio::spawn(play(Script { lines: BufReader::new(input).lines(), out }));
    let (incoming, outgoing) = tokio::io::split(ours);
    let (sender, mut heard) = mpsc::channel(8);
    let collect = async {
        let mut events = Vec::new();
        while let Some(event) = heard.recv().await {
            events.push(event);
        }
        events
    };
    let (result, events) =
        tokio::join!(converse(outgoing, incoming, conversation, controls, sender), collect);
    played.await.expect("the script came to its end");
    Talk { result, events }
}

fn silent() -> mpsc::Receiver<Control> {
    mpsc::channel(1).1
}

#[tokio::test]
async fn e_1_an_acp_turn_becomes_events() {
    let talk = talk(conversation(Policy::Full, None), silent(), async |mut agent: Script| {
        agent.new_session().await;
        let prompt = agent.prompted("do it").await;
        let thought = json!({ "type": "text", "text": "hm" });
        agent.update(json!({ "sessionUpdate": "agent_thought_chunk", "content": thought })).await;
        agent.words("Let me see. ").await;
        agent.update(json!({ "sessionUpdate": "tool_call", "toolCallId": "c1", "title": "Read a", "kind": "read", "rawInput": { "path": "a" } })).await;
        agent.update(json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c1", "status": "in_progress" })).await;
        let content = json!([{ "type": "content", "content": { "type": "text", "text": "contents" } }]);
        agent.update(json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c1", "status": "completed", "content": content })).await;
        agent.words("All ").await;
        agent.words("done").await;
        agent.answer(&prompt, json!({ "stopReason": "end_turn" })).await;
    })
    .await;
    assert!(matches!(talk.result, Ok(Stopped::Done)), "{:?}", talk.result);
    assert_eq!(talk.events.first(), Some(&Body::Session { id: "s-1".into() }));
    let call = Body::ToolCall {
        id: Some("c1".into()),
        name: "Read a".into(),
        input: json!({ "path": "a" }),
    };
    assert!(talk.events.contains(&call), "{:?}", talk.events);
    let result =
        Body::ToolResult { id: Some("c1".into()), output: "contents".into(), failed: false };
    assert!(talk.events.contains(&result), "{:?}", talk.events);
    assert!(talk.events.contains(&Body::Thinking { text: "hm".into() }));
    assert_eq!(talk.final_text(), "All done");
}

#[tokio::test]
async fn e_1_permissions_follow_the_policy() {
    for (policy, read, edit, outside, run) in [
        (Policy::Plan, "yes", "no", "no", "no"),
        (Policy::Edit, "yes", "yes", "no", "no"),
        (Policy::Full, "yes", "yes", "yes", "yes"),
    ] {
        let talk = talk(conversation(policy, None), silent(), async move |mut agent: Script| {
            agent.new_session().await;
            let prompt = agent.prompted("do it").await;
            assert_eq!(agent.ask(1, "read", "/etc/hosts").await, read);
            assert_eq!(agent.ask(2, "edit", "/desk/a").await, edit);
            assert_eq!(agent.ask(3, "edit", "/elsewhere/a").await, outside);
            assert_eq!(agent.ask(4, "execute", "/desk").await, run);
            agent.answer(&prompt, json!({ "stopReason": "end_turn" })).await;
        })
        .await;
        assert!(matches!(talk.result, Ok(Stopped::Done)), "{policy}: {:?}", talk.result);
    }
}

#[tokio::test]
async fn e_7_a_loaded_session_does_not_tell_its_past_again() {
    let talk =
        talk(conversation(Policy::Edit, Some("s-1")), silent(), async |mut agent: Script| {
            agent.hello(json!({ "loadSession": true })).await;
            let request = agent.hear_method("session/load").await;
            assert_eq!(request["params"]["sessionId"], "s-1");
            agent.words("what I said yesterday").await;
            agent.answer(&request, json!({})).await;
            let prompt = agent.prompted("do it").await;
            agent.words("today").await;
            agent.answer(&prompt, json!({ "stopReason": "end_turn" })).await;
        })
        .await;
    assert!(matches!(talk.result, Ok(Stopped::Done)), "{:?}", talk.result);
    assert_eq!(talk.final_text(), "today");
    assert!(!format!("{:?}", talk.events).contains("yesterday"));
}

#[tokio::test]
async fn e_7_an_agent_that_forgets_is_refused() {
    let talk =
        talk(conversation(Policy::Edit, Some("s-1")), silent(), async |mut agent: Script| {
            agent.hello(json!({})).await;
        })
        .await;
    assert!(matches!(talk.result, Err(AcpError::CannotResume)), "{:?}", talk.result);
}

#[tokio::test]
async fn e_7_a_steer_message_reaches_the_agent_in_the_middle_of_its_turn() {
    let (controls, receiver) = mpsc::channel(4);
    let talk = talk(conversation(Policy::Edit, None), receiver, async move |mut agent: Script| {
        agent.new_session().await;
        let first = agent.prompted("do it").await;
        agent.words("I will use tabs").await;
        let (id, words) = (Uuid::from_u128(9), "use spaces".into());
        controls.send(Control::Steer { id, words }).await.expect("is heard");
        agent.hear_method("session/cancel").await;
        agent.answer(&first, json!({ "stopReason": "cancelled" })).await;
        let second = agent.prompted("use spaces").await;
        agent.words("spaces it is").await;
        agent.answer(&second, json!({ "stopReason": "end_turn" })).await;
    })
    .await;
    assert!(matches!(talk.result, Ok(Stopped::Done)), "{:?}", talk.result);
    assert_eq!(talk.final_text(), "spaces it is");
    assert_eq!(talk.summary().steered, [Uuid::from_u128(9)], "that it was taken is told");
}

#[tokio::test]
async fn e_4_a_cancelled_turn_ends() {
    let (controls, receiver) = mpsc::channel(4);
    let talk = talk(conversation(Policy::Edit, None), receiver, async move |mut agent: Script| {
        agent.new_session().await;
        let prompt = agent.prompted("do it").await;
        controls.send(Control::Cancel).await.expect("is heard");
        let cancel = agent.hear_method("session/cancel").await;
        assert_eq!(cancel["params"]["sessionId"], "s-1");
        agent.answer(&prompt, json!({ "stopReason": "cancelled" })).await;
    })
    .await;
    assert!(matches!(talk.result, Ok(Stopped::Cancelled)), "{:?}", talk.result);
}

#[tokio::test]
async fn e_9_an_error_or_a_death_is_told() {
    let refused = talk(conversation(Policy::Edit, None), silent(), async |mut agent: Script| {
        agent.hello(json!({})).await;
        let request = agent.hear_method("session/new").await;
        let error = json!({ "code": -32000, "message": "Authentication required" });
        agent.say(json!({ "jsonrpc": "2.0", "id": request["id"], "error": error })).await;
    })
    .await;
    let error = refused.result.expect_err("is refused").to_string();
    assert!(error.contains("Authentication required"), "{error}");
    let died = talk(conversation(Policy::Edit, None), silent(), async |mut agent: Script| {
        agent.new_session().await;
        agent.prompted("do it").await;
    })
    .await;
    assert!(matches!(died.result, Err(AcpError::Agent(_))), "{:?}", died.result);
}
