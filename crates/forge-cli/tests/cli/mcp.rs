//! `forge mcp`: the proxy over standard input and output in both eras, and the configuration of agent programs (S-3).

use std::fs;

use serde_json::{Value, json};

use crate::cli_fixture::CliFixture;

/// The answers of the proxy to these messages, by the id of the request.
fn answers(fixture: &CliFixture, arguments: &[&str], messages: &[Value]) -> Vec<Value> {
    let lines: Vec<_> = messages.iter().map(Value::to_string).collect();
    let ended = fixture.user.pipe(&format!("{}\n", lines.join("\n")), arguments);
    assert_eq!(ended.code, 0, "{ended:?}");
    let parse = |line: &str| serde_json::from_str(line).expect("one message on each line");
    let mut answers: Vec<Value> = ended.out.lines().map(parse).collect();
    answers.sort_by_key(|answer| answer["id"].as_u64());
    answers
}

fn call(id: u64, tool: &str, arguments: Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

#[test]
fn s_3_the_proxy_forwards_messages_of_both_eras() {
    let fixture = CliFixture::with_project();
    let handshake = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": { "name": "tests", "version": "1" },
    });
    let old = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": handshake }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }),
        call(
            3,
            "forge_create_task",
            json!({ "title": "Say \"hello\"", "description": "two\nlines" }),
        ),
    ];
    let answered = answers(&fixture, &["mcp"], &old);
    let ids: Vec<_> = answered.iter().map(|answer| answer["id"].as_u64()).collect();
    assert_eq!(ids, [Some(1), Some(2), Some(3)], "a notification has no answer");
    assert_eq!(answered[0]["result"]["serverInfo"]["name"], "forge");
    assert_eq!(answered[1]["result"]["tools"][0]["name"], "forge_create_task");
    let made = &answered[2]["result"]["structuredContent"];
    assert_eq!(made["task"]["key"], "T-1", "{made}");

    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "tests", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let mut read = call(2, "forge_read", json!({ "what": "task", "task": "T-1" }));
    read["params"]["_meta"] = meta.clone();
    let new = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": { "_meta": meta } }),
        read,
    ];
    let answered = answers(&fixture, &["mcp", "--set", "all"], &new);
    assert!(answered[0]["result"]["supportedVersions"].is_array(), "{answered:?}");
    assert_eq!(answered[1]["result"]["structuredContent"]["key"], "T-1", "{answered:?}");
}

#[test]
fn s_3_the_proxy_answers_with_errors_of_the_protocol() {
    let mut fixture = CliFixture::start();
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let ended = fixture.user.pipe("not a message\n", &["mcp"]);
    let answer: Value = serde_json::from_str(&ended.out).expect("a message");
    assert_eq!((answer["error"]["code"].as_i64(), &answer["id"]), (Some(-32700), &Value::Null));
    fixture.user.set("FORGE_TOKEN", "fg_wrong");
    let refused = answers(&fixture, &["mcp"], std::slice::from_ref(&list));
    assert_eq!(refused[0]["error"]["data"]["code"], "unauthorized", "{refused:?}");
    fixture.user.set("FORGE_URL", "http://127.0.0.1:9");
    let away = answers(&fixture, &["mcp"], &[list]);
    let message = away[0]["error"]["message"].as_str().expect("a message");
    assert!(message.contains("forge serve"), "{away:?}");
}

#[test]
fn s_3_install_shows_the_configuration_and_writes_it_beside_what_is_there() {
    let fixture = CliFixture::start();
    let home = fixture.user.home.path();
    let file = home.join(".cursor/mcp.json");
    fs::create_dir_all(home.join(".cursor")).expect("a directory");
    fs::write(&file, "{\"mcpServers\": {\"other\": {\"command\": \"x\"}}, \"mine\": [1, 2]}")
        .expect("written");
    let shown = fixture.run(&["mcp", "install", "cursor"]);
    let shown: Value = serde_json::from_str(&shown).expect("JSON");
    assert_eq!(
        shown["mcpServers"]["forge"]["args"].as_array().and_then(|all| all.last()),
        Some(&json!("mcp"))
    );
    assert!(!fs::read_to_string(&file).expect("the file").contains("forge"), "it was only shown");
    fixture.run(&["mcp", "install", "cursor", "--write"]);
    let written = fs::read_to_string(&file).expect("the file");
    let parsed: Value = serde_json::from_str(&written).expect("JSON");
    assert_eq!(parsed["mcpServers"]["forge"], shown["mcpServers"]["forge"]);
    assert_eq!(
        (&parsed["mcpServers"]["other"]["command"], &parsed["mine"]),
        (&json!("x"), &json!([1, 2]))
    );
    let token = crate::serve::TOKEN;
    assert!(!written.contains(token), "a token is never in the file");
    let again = fixture.run(&["mcp", "install", "cursor", "--write"]);
    assert!(again.contains("already"), "{again}");
    assert_eq!(fs::read_to_string(&file).expect("the file"), written);

    for (program, path, section) in [
        ("claude", fixture.repo.join(".mcp.json"), "mcpServers"),
        ("vscode", fixture.repo.join(".vscode/mcp.json"), "servers"),
        ("gemini", home.join(".gemini/settings.json"), "mcpServers"),
    ] {
        fixture.run(&["mcp", "install", program, "--write"]);
        let text = fs::read_to_string(path).expect("the file");
        let parsed: Value = serde_json::from_str(&text).expect("JSON");
        assert!(parsed[section]["forge"]["command"].is_string(), "{program}: {text}");
    }
    fixture.run(&["mcp", "install", "codex", "--write"]);
    let text = fs::read_to_string(home.join(".codex/config.toml")).expect("the file");
    assert!(text.contains("[mcp_servers.forge]") && !text.contains(token), "{text}");

    fs::write(home.join(".gemini/settings.json"), "// mine\n{}").expect("written");
    let refused = fixture.fail(2, &["mcp", "install", "gemini", "--write"]);
    assert!(refused.err.contains("cannot be changed"), "{refused:?}");
    let kept = fs::read_to_string(home.join(".gemini/settings.json")).expect("the file");
    assert_eq!(kept, "// mine\n{}");
}
