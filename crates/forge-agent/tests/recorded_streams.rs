//! Recorded output of the real programs (`RECORD=1 make test-agents`), and malformed streams.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_agent::{
    AgentAdapter, AgentKind, ExecutionSummary, StreamParser, StreamSource, TranscriptEvent,
    TranscriptEventBody,
};
use forge_domain::{ExecutionEnding, FailureClass, Timestamp, Verdict};
use proptest::prelude::*;

const SUCCEEDED: ExecutionEnding = ExecutionEnding::Exited { code: 0 };
const FAILED: ExecutionEnding = ExecutionEnding::Exited { code: 1 };

fn read_in_chunks(
    kind: AgentKind,
    printed: &[u8],
    chunk: usize,
    ending: ExecutionEnding,
) -> (Vec<TranscriptEvent>, ExecutionSummary) {
    let mut events = Vec::new();
    let mut parser = StreamParser::new(AgentAdapter::of(kind).expect("loads"));
    for part in printed.chunks(chunk) {
        parser.feed(StreamSource::Stdout, part, &mut |event| events.push(event));
    }
    let now = Timestamp::from_millis(1_700_000_000_000);
    let summary = parser.finish(ending, now, &mut |event| events.push(event));
    (events, summary)
}

fn read(
    kind: AgentKind,
    printed: &str,
    ending: ExecutionEnding,
) -> (Vec<TranscriptEvent>, ExecutionSummary) {
    read_in_chunks(kind, printed.as_bytes(), printed.len().max(1), ending)
}

fn names(events: &[TranscriptEvent]) -> Vec<String> {
    let name = |event: &TranscriptEvent| {
        serde_json::to_value(event).expect("is JSON")["kind"].as_str().map(str::to_owned)
    };
    events.iter().filter_map(name).collect()
}

const CLAUDE_WORK: &str = include_str!("recorded/claude-work.jsonl");
const CODEX_WORK: &str = include_str!("recorded/codex-work.jsonl");

#[test]
fn e_5_a_recorded_claude_turn() {
    let (events, summary) = read(AgentKind::Claude, CLAUDE_WORK, SUCCEEDED);
    let expected = [
        "session",
        "status",
        "tool_call",
        "usage",
        "tool_result",
        "assistant",
        "usage",
        "usage",
        "status",
    ];
    assert_eq!(names(&events), expected);
    assert_eq!(summary.final_text, "answer.txt is written.\n{\"verdict\": \"pass\"}");
    assert_eq!(summary.verdict, Some(Verdict::Pass { feedback: None }));
    assert_eq!(summary.failure, None);
    let usage = summary.usage;
    assert_eq!((usage.input_tokens, usage.cached_tokens, usage.output_tokens), (314, 100, 40));
    assert!(usage.cost_usd.is_some_and(|cost| cost > 0.0));
    let (_, again) =
        read(AgentKind::Claude, include_str!("recorded/claude-resume.jsonl"), SUCCEEDED);
    assert_eq!(again.session, summary.session, "the same conversation");
    assert!(!again.usage_of_session);
}

#[test]
fn e_5_a_recorded_codex_turn() {
    let (events, summary) = read(AgentKind::Codex, CODEX_WORK, SUCCEEDED);
    let calls: Vec<_> = events
        .iter()
        .filter_map(|event| match &event.body {
            TranscriptEventBody::ToolCall { id, name, .. } => Some((id.clone(), name.clone())),
            TranscriptEventBody::ToolResult { id, failed: false, .. } => {
                Some((id.clone(), "result".into()))
            }
            _ => None,
        })
        .collect();
    let id = Some("item_1".to_owned());
    assert_eq!(calls, [(id.clone(), "shell".to_owned()), (id, "result".to_owned())]);
    assert_eq!(summary.verdict, Some(Verdict::Pass { feedback: None }));
    assert_eq!(summary.failure, None, "a warning is no failure");
    assert_eq!((summary.usage.input_tokens, summary.usage.output_tokens), (200, 40));
    let (_, again) = read(AgentKind::Codex, include_str!("recorded/codex-resume.jsonl"), SUCCEEDED);
    assert_eq!(again.session, summary.session);
    assert!(again.usage_of_session);
    assert_eq!(again.usage.since(summary.usage).output_tokens, 20);
}

#[test]
fn e_9_recorded_refusals_are_distinguished() {
    for (kind, printed, class) in [
        (AgentKind::Claude, include_str!("recorded/claude-quota.jsonl"), FailureClass::Quota),
        (AgentKind::Claude, include_str!("recorded/claude-auth.jsonl"), FailureClass::Auth),
        (AgentKind::Codex, include_str!("recorded/codex-quota.jsonl"), FailureClass::Quota),
        (AgentKind::Codex, include_str!("recorded/codex-auth.jsonl"), FailureClass::Auth),
    ] {
        let failure = read(kind, printed, FAILED).1.failure.expect("failed");
        assert_eq!(failure.class, class, "{failure:?}");
    }
}

#[test]
fn e_9_text_of_an_agent_is_no_refusal() {
    let said = r#"{"type":"assistant","message":{"content":[{"type":"text","text":"I fixed the rate limit: Invalid API key, please run /login"}]}}"#;
    assert_eq!(read(AgentKind::Claude, said, SUCCEEDED).1.failure, None);
    let crashed = read(AgentKind::Claude, said, ExecutionEnding::Signalled { signal: 9 })
        .1
        .failure
        .expect("failed");
    assert_eq!(crashed.class, FailureClass::Crash);
}

#[test]
fn e_9_a_claude_limit_has_a_reset_time() {
    let printed = "{\"type\":\"rate_limit_event\",\"rate_limit_info\":{\"status\":\"rejected\",\"resetsAt\":1700003600}}\n\
                   {\"type\":\"result\",\"is_error\":true,\"result\":\"You've hit your limit\"}\n";
    let failure = read(AgentKind::Claude, printed, FAILED).1.failure.expect("failed");
    assert_eq!(failure.class, FailureClass::Quota);
    assert_eq!(failure.until, Some(Timestamp::from_millis(1_700_003_600_000)));
}

#[test]
fn e_5_mapped_streams_follow_their_rules() {
    let gemini = concat!(
        "Loaded cached credentials.\n",
        r#"{"type":"init","session_id":"11111111-2222","model":"m"}"#,
        "\n",
        r#"{"type":"message","role":"user","content":"do"}"#,
        "\n",
        r#"{"type":"message","role":"assistant","content":"first ","delta":true}"#,
        "\n",
        r#"{"type":"tool_use","tool_name":"write_file","tool_id":"t1","parameters":{"p":1}}"#,
        "\n",
        r#"{"type":"tool_result","tool_id":"t1","status":"success","output":"ok"}"#,
        "\n",
        r#"{"type":"message","role":"assistant","content":"all ","delta":true}"#,
        "\n",
        r#"{"type":"message","role":"assistant","content":"done","delta":true}"#,
        "\n",
        r#"{"type":"result","status":"success","stats":{"input_tokens":7,"output_tokens":3,"cached":2}}"#,
        "\n",
    );
    let (events, summary) = read(AgentKind::Gemini, gemini, SUCCEEDED);
    let expected = [
        "stdout",
        "session",
        "status",
        "assistant",
        "tool_call",
        "tool_result",
        "assistant",
        "assistant",
        "usage",
    ];
    assert_eq!(names(&events), expected);
    assert_eq!(summary.final_text, "all done");
    assert_eq!(summary.session.expect("has one").as_str(), "11111111-2222");
    assert_eq!((summary.usage.input_tokens, summary.usage.output_tokens), (7, 3));

    let opencode = concat!(
        r#"{"type":"step_start","sessionID":"ses_1","part":{}}"#,
        "\n",
        r#"{"type":"step_finish","sessionID":"ses_1","part":{"cost":0.5,"tokens":{"input":1,"output":2,"cache":{"read":0}}}}"#,
        "\n",
        r#"{"type":"step_finish","sessionID":"ses_1","part":{"cost":0.25,"tokens":{"input":10,"output":20,"cache":{"read":4}}}}"#,
        "\n",
        r#"{"type":"error","error":{"name":"x","data":{"message":"rate limit, retry in 2m"}}}"#,
        "\n",
    );
    let summary = read(AgentKind::Opencode, opencode, SUCCEEDED).1;
    assert_eq!((summary.usage.input_tokens, summary.usage.output_tokens), (15, 22));
    assert_eq!(summary.usage.cost_usd, Some(0.75));
    let failure = summary.failure.expect("failed though it exited with 0");
    assert_eq!(failure.class, FailureClass::Quota);
    assert_eq!(failure.until, Some(Timestamp::from_millis(1_700_000_120_000)));
}

#[test]
fn e_5_plain_text_is_the_answer_of_a_shell_agent() {
    let (events, summary) =
        read(AgentKind::Shell, "working\n{\"verdict\":\"fail\",\"feedback\":\"no\"}", SUCCEEDED);
    assert_eq!(names(&events), ["stdout", "stdout"]);
    assert_eq!(summary.verdict, Some(Verdict::Fail { feedback: "no".into() }));
}

#[test]
fn e_5_a_line_of_ten_megabytes_is_bounded_and_what_follows_is_read() {
    let mut printed = format!("{{\"type\":\"user\",\"x\":\"{}\"}}\n", "y".repeat(10 << 20));
    printed.push_str(CLAUDE_WORK);
    let (events, summary) =
        read_in_chunks(AgentKind::Claude, printed.as_bytes(), 64 << 10, SUCCEEDED);
    let Some(TranscriptEvent { body: TranscriptEventBody::Stdout { text, omitted }, seq: 1 }) =
        events.first()
    else {
        panic!("the long line comes first")
    };
    assert!(text.len() <= 4096 && *omitted > 10_000_000, "{} {omitted}", text.len());
    assert_eq!(summary.verdict, Some(Verdict::Pass { feedback: None }));
}

#[test]
fn e_5_unknown_kinds_are_kept_as_they_came() {
    for kind in [AgentKind::Claude, AgentKind::Codex, AgentKind::Gemini, AgentKind::Acp] {
        let (events, _) = read(kind, "{\"type\":\"novelty\",\"deep\":{\"n\":1}}\n", SUCCEEDED);
        let [TranscriptEvent { body: TranscriptEventBody::Status { status, raw }, .. }] =
            events.as_slice()
        else {
            panic!("{kind}: {events:?}")
        };
        assert_eq!((status.as_str(), raw["deep"]["n"].as_u64()), ("novelty", Some(1)));
    }
}

#[test]
fn e_5_events_survive_being_written_and_read() {
    for (kind, printed) in [(AgentKind::Claude, CLAUDE_WORK), (AgentKind::Codex, CODEX_WORK)] {
        for event in read(kind, printed, SUCCEEDED).0 {
            let written = serde_json::to_string(&event).expect("is JSON");
            let back: TranscriptEvent = serde_json::from_str(&written).expect("is an event");
            assert_eq!(back, event);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The same events come out however a stream is split.
    #[test]
    fn e_5_cuts_do_not_matter(chunk in 1_usize..400) {
        for (kind, printed) in [(AgentKind::Claude, CLAUDE_WORK), (AgentKind::Codex, CODEX_WORK)] {
            prop_assert_eq!(read_in_chunks(kind, printed.as_bytes(), chunk, SUCCEEDED), read(kind, printed, SUCCEEDED));
        }
    }

    /// No input stops a parser, and event numbers have no gaps.
    #[test]
    fn e_5_garbage_is_kept(bytes in proptest::collection::vec(any::<u8>(), 0..600), at in 0_usize..4000, chunk in 1_usize..300) {
        for kind in AgentKind::ALL {
            let mut printed = CLAUDE_WORK.as_bytes().to_vec();
            let at = at.min(printed.len());
            printed.splice(at..at, bytes.iter().copied());
            let (events, summary) = read_in_chunks(kind, &printed, chunk, SUCCEEDED);
            let numbers: Vec<u64> = events.iter().map(|event| event.seq).collect();
            let expected: Vec<u64> = (1..=summary.events).collect();
            prop_assert_eq!(numbers, expected);
        }
    }
}
