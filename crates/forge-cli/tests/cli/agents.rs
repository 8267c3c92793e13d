//! `forge agent probe` and the ACP bridge (SPEC E-1).

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::Value;

use crate::forge::{CliUser, search_path};

fn install(path: &Path, script: &str) {
    std::fs::write(path, format!("#!/bin/sh\n{script}\n")).expect("is written");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("is ours");
}

#[test]
fn e_1_probe_needs_no_server() {
    let mut user = CliUser::at("http://127.0.0.1:1");
    let place = user.home.path().join("bin");
    std::fs::create_dir(&place).expect("a directory");
    install(&place.join("claude"), "echo '9.9.9 (Played)'");
    user.set("PATH", place.to_str().expect("is text"));
    let table = user.run(&["agent", "probe"]);
    assert_eq!(table.code, 0, "{}", table.err);
    assert!(
        table.out.contains("9.9.9 (Played)") && table.out.contains("not found"),
        "{}",
        table.out
    );
    let json = user.run(&["--json", "agent", "probe", "--kind", "claude"]);
    let report: Value = serde_json::from_str(&json.out).expect("is JSON");
    assert_eq!(report["items"][0]["version"], "9.9.9 (Played)");
    assert_eq!(report["items"][0]["resumes"], true);
    assert_eq!(user.run(&["agent", "probe", "--kind", "hal"]).code, 2);
}

/// Answers by the order of the requests; the ids are taken from them.
const AGENT: &str = r#"
id() { printf '%s' "$1" | sed 's/.*"id":\("[^"]*"\|[0-9]*\).*/\1/'; }
read -r line; printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}}\n' "$(id "$line")"
read -r line; printf '{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s-1"}}\n' "$(id "$line")"
read -r line
printf '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s-1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"done in %s"}}}}\n' "$FORGE_TASK_ID"
printf '{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}\n' "$(id "$line")"
read -r line
"#;

#[test]
fn e_1_the_bridge_prints_events() {
    let mut user = CliUser::new();
    let (agent, prompt) = (user.home.path().join("agent"), user.home.path().join("prompt"));
    install(&agent, AGENT);
    std::fs::write(&prompt, "do it").expect("is written");
    user.set("PATH", &search_path());
    user.set("FORGE_TASK_ID", "T-1");
    let (agent, prompt) = (agent.to_str().expect("is text"), prompt.to_str().expect("is text"));
    let words = ["agent", "acp-bridge", "--prompt-file", prompt, "--policy", "edit", "--", agent];
    let ended = user.run(&words);
    assert_eq!(ended.code, 0, "{} {}", ended.out, ended.err);
    let events: Vec<Value> =
        ended.out.lines().map(|line| serde_json::from_str(line).expect("is JSON")).collect();
    let kinds: Vec<_> =
        events.iter().map(|event| event["kind"].as_str().expect("a kind")).collect();
    assert_eq!(kinds, ["session", "assistant", "status"]);
    assert_eq!(events[1]["text"], "done in T-1", "the agent has the bridge's environment");
    let missing =
        ["agent", "acp-bridge", "--prompt-file", prompt, "--policy", "edit", "--", "/no/such"];
    assert_ne!(user.run(&missing).code, 0);
}
