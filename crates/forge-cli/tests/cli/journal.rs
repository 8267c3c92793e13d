//! The command `forge journal` (SPEC W-14).

use serde_json::{Value, json};

use crate::answers::{AT, TASK, failure, page, task};
use crate::forge::CliUser;
use crate::played_server::StubServer;

fn entry(number: u64, reason: &str) -> Value {
    json!({
        "number": number, "at": AT, "reason": reason, "execution_id": TASK, "commit": "c".repeat(40),
        "branch": "forge/12-fix", "head": "0123456789".repeat(4), "differs": true, "has_files": true, "skipped": [],
    })
}

fn answer(asked: &str) -> Option<(u16, Value)> {
    let journal = format!("/tasks/{TASK}/journal");
    let rest = asked.split_once(journal.as_str())?.1;
    if rest.starts_with('?') {
        let mut lost = entry(2, "corrupted");
        lost["has_files"] = json!(false);
        lost["branch"] = Value::Null;
        let mut partly = entry(1, "periodic");
        partly["skipped"] = json!(["pipe\u{1b}[2J"]);
        return page(json!([entry(3, "turn_end"), lost, partly]));
    }
    if rest.starts_with("/3/diff?") {
        return Some((200, json!("diff --git a/a b/a\n-old\n+new")));
    }
    if rest.starts_with("/3/restore") {
        return Some((200, json!({ "number": 3, "saved": entry(4, "before_restore") })));
    }
    if rest.starts_with("/3/fork") {
        return Some((201, task(13, "Another way", "fresh")));
    }
    failure(409, "workspace_locked", json!({ "holder": null }))
}

#[test]
fn w_14_the_journal_is_listed() {
    let server = StubServer::new(answer);
    let user = CliUser::at(&server.url);
    let ended = user.run(&["journal", TASK]);
    assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{ended:?}");
    insta::assert_snapshot!("journal_list", ended.out);
    assert_eq!(user.run(&["journal", TASK, "list"]).out, ended.out);
}

#[test]
fn w_14_an_entry_is_shown_restored_and_forked() {
    let server = StubServer::new(answer);
    let user = CliUser::at(&server.url);
    let ended = user.run(&["journal", TASK, "diff", "3", "--against", "base"]);
    assert_eq!(ended.out, "diff --git a/a b/a\n-old\n+new");
    let asked = server.requests().pop().expect("a request");
    assert!(asked.contains("against=base") && asked.contains("format=patch"), "{asked}");

    let ended = user.run(&["journal", TASK, "restore", "3", "--move-branch"]);
    assert_eq!(ended.out, "Restored entry 3; what was there before is entry 4\n", "{ended:?}");
    let asked = server.requests().pop().expect("a request");
    assert_eq!(asked, format!(r#"POST /tasks/{TASK}/journal/3/restore {{"move_branch":true}}"#));

    let ended = user.run(&["journal", TASK, "fork", "3", "--title", "Another way"]);
    assert_eq!(ended.out, "T-13  fresh  Another way\n", "{ended:?}");
    let ended = user.run(&["journal", TASK, "restore", "5"]);
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(ended.err.contains("[workspace_locked]"), "{}", ended.err);
    for wrong in [&["journal"][..], &["journal", TASK, "diff", "x"], &["journal", "what"]] {
        assert_eq!(user.run(wrong).code, 2, "{wrong:?}");
    }
}
