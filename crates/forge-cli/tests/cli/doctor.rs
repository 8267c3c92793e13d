//! `forge doctor` about the server's last start (SPEC E-12, W-10).

use serde_json::{Value, json};

use crate::answers::{AT, PROJECT, me};
use crate::forge::CliUser;
use crate::played_server::StubServer;

fn stub_server(orphans: Value) -> StubServer {
    StubServer::new(move |asked| {
        let answer = match asked {
            "GET /readyz" => json!({ "ready": true, "checks": [] }),
            "GET /auth/me" => return me(),
            "GET /system/recovery" => json!({
                    "node": PROJECT, "started_at": AT, "executions_adopted": 1, "executions_ended": 0,
            "executions_finished": 0, "executions_lost": 0, "effects_resumed": 0, "effects_open": 0,
                    "locks_released": 0, "clones_discarded": 0, "orphans": orphans,
                }),
            _ => return None,
        };
        Some((200, answer))
    })
}

fn finding(server: &StubServer) -> Option<Value> {
    let mut user = CliUser::at(&server.url);
    user.set("FORGE_TOKEN", "fg_x");
    let ended = user.run(&["doctor", "--json"]);
    let report: Value = serde_json::from_str(&ended.out).expect("one document");
    let findings = report["findings"].as_array().expect("a list").clone();
    assert!(findings.iter().any(|finding| finding["name"] == "token"), "{report}");
    findings.into_iter().find(|finding| finding["name"] == "orphans")
}

#[test]
fn w_10_the_doctor_names_orphans_of_the_last_start() {
    let orphan = json!({ "path": "/data/workspaces/lost", "reason": "no task has it" });
    let found = finding(&stub_server(json!([orphan, orphan]))).expect("a finding");
    assert_eq!(found["verdict"], "warn");
    let message = found["message"].as_str().expect("text");
    assert!(message.contains('2') && message.contains("/data/workspaces/lost"), "{message}");
    assert!(found["next"].as_str().expect("text").contains("forge workspace orphans"));
}

#[test]
fn w_10_the_doctor_is_silent_without_orphans_or_permission() {
    assert_eq!(finding(&stub_server(json!([]))), None);
    assert_eq!(finding(&stub_server(json!(null))), None);
}
