//! Help, usage errors and unreachable servers (SPEC S-4).

use serde_json::{Value, json};

use crate::answers::failure;
use crate::cli_fixture::CliFixture;
use crate::forge::CliUser;
use crate::serve::TOKEN;
use crate::stub_server::StubServer;

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
        "task edit",
        "task delete",
        "task complete",
        "task checkout",
        "task open",
        "task watch",
        "merge",
        "open",
        "agent remove",
        "project remove",
        "user add",
        "user remove",
        "whoami",
        "config",
        "backup",
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
         hint: start it with `forge serve`, or with `forge init` in a repository\nhint: or name another server with --url or FORGE_URL\n"
    );
}

#[test]
fn s_1_the_exit_code_follows_the_status() {
    let fixture = CliFixture::with_project();
    fixture.add_agent("ada", "true");
    fixture.run(&["agent", "pause", "ada"]);
    fixture.run(&["task", "new", "Work"]);
    let bo = fixture.create_user("bo");
    for (token, arguments, code, exit) in [
        (TOKEN, &["task", "claim", "T-1", "--agent", "ada"][..], "agent_paused", 1),
        (TOKEN, &["train", "on", "widget", "--window", "0"], "invalid_field", 1),
        (TOKEN, &["task", "show", "T-9"], "not_found", 3),
        ("fg_unknown", &["project", "list"], "unauthorized", 4),
        (&bo, &["workspace", "orphans"], "forbidden", 4),
    ] {
        let user = fixture.user_with_token(token);
        let ended = user.run_in(&fixture.repo, arguments);
        assert_eq!(ended.code, exit, "{code}: {ended:?}");
        let line = ended.err.lines().next().expect("a line");
        assert!(line.starts_with("error: ") && line.ends_with(&format!(" [{code}]")), "{line}");
        let ended = user.run_in(&fixture.repo, &[arguments, &["--json"]].concat());
        let body: Value = serde_json::from_str(&ended.err).expect("one document");
        assert_eq!(body["code"], code);
        let request = body["request_id"].as_str().expect("the server's identifier");
        assert!(!request.is_empty(), "{body}");
    }
    fixture.stop();
}

/// No request makes the server fail, so a stub answers as one that fails.
#[test]
fn s_1_a_server_that_fails_exits_with_6() {
    for (status, code) in [(500, "internal"), (503, "not_ready")] {
        let server = StubServer::new(move |_| failure(status, code, Value::Null));
        let ended = CliUser::at(&server.url).run(&["project", "list"]);
        assert_eq!(ended.code, 6, "{code}: {ended:?}");
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
    let fixture = CliFixture::with_project();
    fixture.fail(2, &["project", "new", "--evil"]);
    let ended = fixture.fail(1, &["project", "new", "--", "--evil"]);
    assert!(ended.err.contains("[invalid_name]"), "{}", ended.err);
    let task = fixture.run(&["task", "new", "--", "--evil"]);
    assert_eq!(task, "T-1  backlog  --evil\n");
    fixture.stop();
}

#[test]
fn s_4_completions_and_the_manual_are_made() {
    let user = CliUser::new();
    let script = user.run(&["completions", "bash"]);
    assert!(script.code == 0 && script.out.contains("complete"), "{}", script.err);
    let page = user.run(&["man"]);
    assert!(page.code == 0 && page.out.contains(".TH forge 1"), "{}", page.out);
}

#[test]
fn s_4_the_documented_exit_codes_are_those_of_the_binary() {
    let listed = CliUser::new().run(&["help", "exit-codes"]).out;
    let documented = include_str!("../../../../docs/CLI.md");
    let codes = listed.lines().filter_map(|line| line.strip_prefix("  ")?.trim().split_once("  "));
    let mut count = 0;
    for (code, meaning) in codes {
        count += 1;
        assert!(documented.contains(&format!("| {code} | {meaning} |\n")), "{code}: {meaning}");
    }
    assert_eq!(count, 10, "{listed}");
}

#[test]
fn https_to_a_server_without_tls_names_the_address_that_works() {
    let fixture = CliFixture::start();
    let plain = fixture.serving.url().trim_end_matches('/').to_owned();
    let secure = plain.replacen("http:", "https:", 1);
    let ended = fixture.fail(5, &["--url", &secure, "project", "list"]);
    assert!(ended.err.contains("does not speak https [unreachable]"), "{}", ended.err);
    assert!(ended.err.contains(&format!("hint: use {plain}")), "{}", ended.err);
    fixture.stop();
}
