//! Lines printed by current versions of the programs, and the resulting usage, failures and refused tools (issue 13,
//! numbers 11, 13 and 14).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_agent::{
    AgentAdapter, AgentKind, ExecutionSummary, StreamParser, StreamSource, TranscriptEvent,
    TranscriptEventBody,
};
use forge_domain::{ExecutionEnding, FailureClass, Timestamp};

const DONE: ExecutionEnding = ExecutionEnding::Exited { code: 0 };
const FAILED: ExecutionEnding = ExecutionEnding::Exited { code: 1 };

fn read(
    kind: AgentKind,
    printed: &str,
    ending: ExecutionEnding,
) -> (Vec<TranscriptEvent>, ExecutionSummary) {
    let mut events = Vec::new();
    let mut parser = StreamParser::new(AgentAdapter::of(kind).expect("loads"));
    parser.feed(StreamSource::Stdout, printed.as_bytes(), &mut |event| events.push(event));
    let now = Timestamp::from_millis(1_700_000_000_000);
    let summary = parser.finish(ending, now, &mut |event| events.push(event));
    (events, summary)
}

fn class(kind: AgentKind, printed: &str, ending: ExecutionEnding) -> FailureClass {
    read(kind, printed, ending).1.failure.expect("failed").class
}

#[test]
fn issue_13_13_cached_tokens_are_counted_once() {
    let opencode = r#"{"type":"step_finish","sessionID":"ses_1","part":{"type":"step-finish","tokens":{"total":120,"input":60,"output":20,"reasoning":3,"cache":{"write":2,"read":40}},"cost":0.5}}
{"type":"step_finish","sessionID":"ses_1","part":{"type":"step-finish","tokens":{"total":120,"input":60,"output":20,"reasoning":0,"cache":{"write":0,"read":40}},"cost":0.25}}
"#;
    let usage = read(AgentKind::Opencode, opencode, DONE).1.usage;
    assert_eq!((usage.input_tokens, usage.cached_tokens, usage.output_tokens), (202, 80, 43));
    assert_eq!(usage.cost_usd, Some(0.75));
    let qwen = r#"{"type":"result","subtype":"success","session_id":"s","is_error":false,"result":"done","usage":{"input_tokens":200,"output_tokens":40,"cache_read_input_tokens":80,"total_tokens":240},"permission_denials":[]}
"#;
    let usage = read(AgentKind::Qwen, qwen, DONE).1.usage;
    assert_eq!((usage.input_tokens, usage.cached_tokens, usage.output_tokens), (200, 80, 40));
    let claude = r#"{"type":"result","subtype":"success","session_id":"s","is_error":false,"result":"done","total_cost_usd":0.5,"usage":{"input_tokens":200,"cache_creation_input_tokens":14,"cache_read_input_tokens":100,"output_tokens":40}}
"#;
    let usage = read(AgentKind::Claude, claude, DONE).1.usage;
    assert_eq!((usage.input_tokens, usage.cached_tokens, usage.output_tokens), (314, 100, 40));
}

#[test]
fn issue_13_13_session_wide_counts_are_flagged() {
    let line = "{\"type\":\"result\",\"session_id\":\"s\"}\n";
    let flags = |kind| {
        let summary = read(kind, line, DONE).1;
        (summary.usage_of_session, summary.cost_of_session)
    };
    assert_eq!(flags(AgentKind::Claude), (false, true), "its tokens are those of the turn");
    assert_eq!(flags(AgentKind::Acp), (false, true));
    assert_eq!(flags(AgentKind::Qwen), (true, false));
    assert_eq!(flags(AgentKind::Codex), (true, false));
    assert_eq!(flags(AgentKind::Opencode), (false, false));
}

#[test]
fn issue_13_14_a_missing_login_is_distinguished_from_a_failure() {
    let qwen = r#"{"type":"result","subtype":"error_during_execution","session_id":"s","is_error":true,"usage":{"input_tokens":0,"output_tokens":0},"permission_denials":[],"error":{"message":"No auth type is selected. Please configure an auth type (e.g. via settings or `--auth-type`) before running in non-interactive mode."}}
"#;
    let qwen_key = r#"{"type":"result","subtype":"error_during_execution","session_id":"s","is_error":true,"error":{"message":"[API Error: 401 Incorrect API key provided: sk-xxx.]"}}
"#;
    let opencode = r#"{"type":"error","sessionID":"ses_1","error":{"name":"APIError","data":{"message":"Incorrect API key provided: sk-xxx. You can find your API key at https://platform.openai.com/account/api-keys.","statusCode":401}}}
"#;
    let amp = "No API key found. Starting login flow...\nIf your browser does not open automatically, visit:\n\nhttps://ampcode.com/auth/cli-login?authToken=x\n\nWhen prompted, paste your code here: Login failed: No code entered. Please paste the code from the browser and try again.\n";
    let gemini = "Invalid auth method selected.\n";
    let gemini_key = r#"{"type":"result","status":"error","error":{"type":"unknown","message":"[API Error: {\"error\":{\"code\":400,\"message\":\"API key not valid. Please pass a valid API key.\"}}]"},"stats":{}}
"#;
    for (kind, printed, ending) in [
        (AgentKind::Qwen, qwen, FAILED),
        (AgentKind::Qwen, qwen_key, FAILED),
        (AgentKind::Opencode, opencode, FAILED),
        (AgentKind::Amp, amp, FAILED),
        (AgentKind::Gemini, gemini, ExecutionEnding::Exited { code: 41 }),
        (AgentKind::Gemini, "words that say nothing\n", ExecutionEnding::Exited { code: 41 }),
        (AgentKind::Gemini, gemini_key, ExecutionEnding::Exited { code: 144 }),
    ] {
        assert_eq!(class(kind, printed, ending), FailureClass::Auth, "{kind}: {printed}");
    }
}

#[test]
fn issue_13_14_a_retry_explains_only_a_failed_execution() {
    let retry = |status: u16, error: &str| {
        format!(
            "{{\"type\":\"system\",\"subtype\":\"api_retry\",\"attempt\":1,\"max_retries\":10,\"retry_delay_ms\":500,\"error_status\":{status},\"error\":\"{error}\",\"session_id\":\"s\"}}\n"
        )
    };
    let auth = retry(401, "authentication_failed");
    assert_eq!(class(AgentKind::Claude, &auth, FAILED), FailureClass::Auth);
    let quota = retry(429, "rate_limit");
    assert_eq!(class(AgentKind::Claude, &quota, FAILED), FailureClass::Quota);
    let done = format!(
        "{quota}{{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"done\",\"session_id\":\"s\"}}\n"
    );
    assert_eq!(read(AgentKind::Claude, &done, DONE).1.failure, None);
}

#[test]
fn issue_13_14_the_output_of_a_failed_agent_may_mention_logins() {
    let tests =
        "test a_login_is_unauthorized ... ok\n".to_owned() + &"test other ... ok\n".repeat(99);
    assert_eq!(class(AgentKind::Shell, &tests, FAILED), FailureClass::Crash);
    assert_eq!(
        class(AgentKind::Shell, &(tests + "error: unauthorized\n"), FAILED),
        FailureClass::Auth
    );
}

#[test]
fn issue_13_11_refused_tools_are_named_once() {
    let claude = r#"{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"toolu_01","name":"Bash","input":{"command":"make"}}]},"session_id":"s"}
{"type":"system","subtype":"permission_denied","tool_name":"Bash","tool_use_id":"toolu_01","decision_reason_type":"other","decision_reason":"This command requires approval","message":"This command requires approval","session_id":"s"}
{"type":"result","subtype":"success","is_error":false,"result":"I could not.","session_id":"s","permission_denials":[{"tool_name":"Bash","tool_use_id":"toolu_01","tool_input":{"command":"make"}}]}
"#;
    let (_, summary) = read(AgentKind::Claude, claude, DONE);
    let [refused] = summary.refused.as_slice() else { panic!("{:?}", summary.refused) };
    assert_eq!((refused.tool.as_str(), refused.input.as_str()), ("Bash", r#"{"command":"make"}"#));
    assert_eq!(refused.reason, "This command requires approval");
    let qwen = r#"{"type":"result","subtype":"success","session_id":"s","is_error":false,"result":"no","permission_denials":[{"tool_name":"run_shell_command","tool_use_id":"call_1","tool_input":{"command":"make"}}]}
"#;
    assert_eq!(read(AgentKind::Qwen, qwen, DONE).1.refused[0].tool, "run_shell_command");
    let opencode = r#"{"type":"tool_use","sessionID":"ses_1","part":{"type":"tool","tool":"bash","callID":"call_1","state":{"status":"error","input":{"command":"make"},"error":"Error: The user rejected permission to use this specific tool call."}}}
"#;
    let (events, summary) = read(AgentKind::Opencode, opencode, DONE);
    assert_eq!(summary.refused[0].tool, "bash");
    let failed = |event: &TranscriptEvent| {
        matches!(&event.body, TranscriptEventBody::ToolResult { failed: true, .. })
    };
    assert!(events.iter().any(failed), "{events:?}");
}

/// From Cursor's documentation.
#[test]
fn issue_13_14_cursors_tools_are_in_the_log() {
    let printed = r#"{"type":"system","subtype":"init","session_id":"s"}
{"type":"tool_call","subtype":"started","call_id":"c1","tool_call":{"readToolCall":{"args":{"path":"a.txt"}}},"session_id":"s"}
{"type":"tool_call","subtype":"completed","call_id":"c1","tool_call":{"readToolCall":{"args":{"path":"a.txt"},"result":{"success":{"content":"hello"}}}},"session_id":"s"}
{"type":"tool_call","subtype":"started","call_id":"c2","tool_call":{"shellToolCall":{"args":{"command":"make"}}},"session_id":"s"}
{"type":"tool_call","subtype":"completed","call_id":"c2","tool_call":{"shellToolCall":{"args":{"command":"make"},"result":{"rejected":{"reason":"not allowed"}}}},"session_id":"s"}
{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s"}
"#;
    let (events, summary) = read(AgentKind::Cursor, printed, DONE);
    let call = TranscriptEventBody::ToolCall {
        id: Some("c1".into()),
        name: "read".into(),
        input: serde_json::json!({ "path": "a.txt" }),
    };
    assert!(events.iter().any(|event| event.body == call), "{events:?}");
    let results: Vec<_> = events
        .iter()
        .filter_map(|event| match &event.body {
            TranscriptEventBody::ToolResult { id, failed, .. } => {
                Some((id.clone().unwrap_or_default(), *failed))
            }
            _ => None,
        })
        .collect();
    assert_eq!(results, [("c1".to_owned(), false), ("c2".to_owned(), true)]);
    assert_eq!((summary.refused.len(), summary.refused[0].tool.as_str()), (1, "shell"));
}
