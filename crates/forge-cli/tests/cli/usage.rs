//! Help, usage errors and unreachable servers (SPEC S-4).

use serde_json::{Value, json};

use crate::answers::{failure, page, project};
use crate::forge::CliUser;
use crate::played_server::StubServer;

/// Nothing listens on port 1.
const NOWHERE: &str = "http://127.0.0.1:1";

#[test]
fn s_4_help_is_the_documentation() {
    let user = CliUser::new();
    let help = user.run(&["--help"]);
    assert_eq!(help.code, 0);
    insta::assert_snapshot!("help", help.out);
    let codes = user.run(&["help", "exit-codes"]);
    assert_eq!(codes.code, 0);
    let own = codes.out.split("Usage:").next().expect("text").to_owned();
    insta::assert_snapshot!("exit_codes", own);
}

#[test]
fn s_4_every_command_has_help() {
    let user = CliUser::new();
    for words in [
        "serve",
        "demo",
        "init",
        "login",
        "logout",
        "project new",
        "project list",
        "project workflow",
        "repo add",
        "agent add",
        "task new",
        "task list",
        "task show",
        "task claim",
        "task move",
        "task cancel",
        "task archive",
        "task unarchive",
        "task assign",
        "task depend",
        "task comment",
        "task diff",
        "task log",
        "task history",
        "task effects",
        "workflow check",
        "workflow show",
        "doctor",
        "completions",
        "man",
    ] {
        let mut arguments: Vec<_> = words.split(' ').collect();
        arguments.push("--help");
        let help = user.run(&arguments);
        assert_eq!(help.code, 0, "{words}");
        assert!(help.out.contains(&format!("Usage: forge {words}")), "{words}: {}", help.out);
    }
}

#[test]
fn s_7_every_flag_of_the_settings_table_is_one_of_serve() {
    let help = CliUser::new().run(&["serve", "--help"]).out;
    let flags = forge_server::settings::TABLE.iter().filter_map(|setting| setting.flag());
    for flag in flags {
        assert!(help.contains(&format!("{flag} ")), "{flag}");
    }
    assert!(!help.contains("--bootstrap-token") && !help.contains("--database-url"), "{help}");
}

#[test]
fn s_4_usage_errors_exit_with_2() {
    let user = CliUser::at(NOWHERE);
    for arguments in [
        vec![],
        vec!["frobnicate"],
        vec!["task", "show", "X-12"],
        vec!["task", "assign", "T-1", "coder"],
        vec!["agent", "add", "name"],
        vec!["agent", "add", "name", "--env", "NOT_SET_ANYWHERE", "--", "true"],
        vec!["agent", "add", "name", "--max-concurrent", "0", "--", "true"],
        vec!["--url", "not a url", "task", "list"],
        vec!["task", "new", "title", "-d", "@missing-file"],
        vec!["workflow", "check", "missing-file"],
        vec!["init", "/"],
        vec!["serve", "--bind", "nowhere"],
    ] {
        let ended = user.run(&arguments);
        assert_eq!(ended.code, 2, "{arguments:?}: {ended:?}");
        assert_eq!(ended.out, "", "{arguments:?}");
    }
}

#[test]
fn s_6_secrets_are_no_arguments() {
    let ended = CliUser::at(NOWHERE).run(&["task", "list", "--token", "fg_secret"]);
    assert_eq!(ended.code, 2);
    let ended = CliUser::at("http://ann:hunter2@127.0.0.1:1").run(&["task", "list"]);
    assert_eq!(ended.code, 2);
    assert!(!ended.err.contains("hunter2"), "{}", ended.err);
}

#[test]
fn s_4_errors_are_json_when_json_was_asked_for() {
    let user = CliUser::at(NOWHERE);
    for (arguments, code, exit) in [
        (vec!["--json", "frobnicate"], "usage", 2),
        (vec!["task", "list", "--json"], "unreachable", 5),
    ] {
        let ended = user.run(&arguments);
        assert_eq!((ended.code, ended.out.as_str()), (exit, ""), "{arguments:?}");
        let body: Value = serde_json::from_str(&ended.err).expect("one document");
        assert_eq!(body["code"], code);
        let keys: Vec<_> = body.as_object().expect("an object").keys().cloned().collect();
        assert_eq!(keys, ["code", "details", "message", "request_id"]);
    }
}

#[test]
fn an_unreachable_server_exits_with_5_and_the_next_step() {
    let ended = CliUser::at(NOWHERE).run(&["task", "list"]);
    assert_eq!(ended.code, 5);
    assert_eq!(
        ended.err,
        "error: nothing answers at http://127.0.0.1:1 [unreachable]\n\
         hint: start it with `forge serve`\nhint: or name another server with --url or FORGE_URL\n"
    );
}

#[test]
fn s_1_the_exit_code_follows_the_status() {
    for (status, code, exit) in [
        (409, "agent_paused", 1),
        (422, "invalid_field", 1),
        (404, "not_found", 3),
        (401, "unauthorized", 4),
        (403, "forbidden", 4),
        (500, "internal", 6),
        (503, "not_ready", 6),
    ] {
        let server = StubServer::new(move |_| failure(status, code, Value::Null));
        let ended = CliUser::at(&server.url).run(&["project", "list"]);
        assert_eq!(ended.code, exit, "{code}: {ended:?}");
        let line = format!("error: The server says {code}. [{code}]\n");
        assert!(ended.err.starts_with(&line), "{}", ended.err);
        let ended = CliUser::at(&server.url).run(&["project", "list", "--json"]);
        let body: Value = serde_json::from_str(&ended.err).expect("one document");
        assert_eq!((&body["code"], &body["request_id"]), (&json!(code), &json!("r-1")));
    }
}

#[test]
fn a_server_that_is_not_forge_exits_with_6() {
    let server = StubServer::new(|_| Some((200, json!("hello"))));
    let ended = CliUser::at(&server.url).run(&["project", "list"]);
    assert_eq!(ended.code, 6);
    assert!(ended.err.contains("[bad_answer]"), "{}", ended.err);
}

#[test]
fn names_that_begin_with_a_dash_are_names_after_two_dashes() {
    let server = StubServer::new(|asked| match asked {
        "POST /projects" => failure(422, "invalid_name", Value::Null),
        _ => page(json!([project("Alpha")])),
    });
    let user = CliUser::at(&server.url);
    assert_eq!(user.run(&["project", "new", "--evil"]).code, 2);
    let ended = user.run(&["project", "new", "--", "--evil"]);
    assert_eq!(ended.code, 1);
    assert!(ended.err.contains("[invalid_name]"), "{}", ended.err);
    let requests = server.requests();
    assert_eq!(requests.len(), 1);
    assert!(requests[0].contains("\"name\":\"--evil\""), "{requests:?}");
}

#[test]
fn s_4_completions_and_the_manual_are_made() {
    let user = CliUser::new();
    let script = user.run(&["completions", "bash"]);
    assert!(script.code == 0 && script.out.contains("_forge()"), "{}", script.err);
    let page = user.run(&["man"]);
    assert!(page.code == 0 && page.out.contains(".TH forge 1"), "{}", page.out);
}
