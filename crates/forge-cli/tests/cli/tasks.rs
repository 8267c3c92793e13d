//! Projects and tasks on the command line (SPEC S-4, T-8 … T-11).

use forge_testkit::intercepting_proxy::{InterceptingProxy, PassedOn};
use serde_json::{Value, json};

use crate::cli_fixture::CliFixture;
use crate::forge::CliUser;
use crate::serve::TOKEN;
use crate::stable_text::stable_text;
use crate::walk::git;

/// Two tasks that wait for a person, and one that was never claimed.
fn three_tasks() -> CliFixture {
    let fixture = CliFixture::with_project();
    fixture.run(&["task", "new", "Old"]);
    fixture.run(&["task", "new", "Fix red text", "-l", "ui", "-l", "small"]);
    for key in ["T-1", "T-2"] {
        fixture.run(&["task", "claim", key]);
    }
    fixture.run(&["task", "new", "Later"]);
    fixture
}

#[test]
fn s_4_lists_are_aligned_and_free_of_tabs_and_colours() {
    let fixture = three_tasks();
    let listed = fixture.run(&["task", "list", "--status", "in_progress"]);
    insta::assert_snapshot!("task_list", listed);
    let one = fixture.run(&["task", "list", "--status", "in_progress", "-n", "1"]);
    assert_eq!(one.lines().collect::<Vec<_>>(), listed.lines().take(2).collect::<Vec<_>>());
    let coloured = fixture.run(&["task", "list", "--color", "always"]);
    assert!(coloured.contains("\u{1b}[1mT-2\u{1b}[0m"), "{coloured:?}");
    fixture.stop();
}

#[test]
fn s_4_json_is_the_answer_of_the_api() {
    let fixture = three_tasks();
    let ended = fixture.fail(0, &["task", "list", "--json"]);
    let document: Value = serde_json::from_str(&ended.out).expect("one document");
    let project = fixture.json(&["project", "show"])["id"].clone();
    let path = format!("/projects/{}/tasks", project.as_str().expect("an identifier"));
    assert_eq!(document, fixture.call("GET", &path, &Value::Null));
    assert_eq!(ended.err, "");
    fixture.stop();
}

#[test]
fn a_number_needs_a_project_that_is_clear() {
    let mut fixture = three_tasks();
    fixture.run(&["project", "new", "Beta"]);
    fixture.run(&["task", "new", "Another", "--project", "Beta"]);
    let outside = fixture.user.home.path().to_owned();
    let ended = fixture.user.run_in(&outside, &["task", "show", "T-1"]);
    assert_eq!(ended.code, 2);
    assert_eq!(
        ended.err,
        "error: there are several projects, and none is named [usage]\n\
         hint: name one with --project or FORGE_PROJECT\nhint: projects: widget, Beta\n"
    );
    let named = ["task", "show", "T-1", "--json", "--project", "Beta"];
    let ended = fixture.user.run_in(&outside, &named);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.out.contains("\"Another\""), "{ended:?}");
    fixture.user.set("FORGE_PROJECT", "beta");
    let ended = fixture.user.run_in(&outside, &["task", "show", "T-13"]);
    assert_eq!(ended.code, 3);
    assert_eq!(
        ended.err,
        "error: there is no task T-13; look at the list of the project's tasks [not_found]\n"
    );
    let ended = fixture.user.run_in(&outside, &["task", "list", "--project", "Gamma"]);
    assert_eq!(ended.code, 3);
    assert!(ended.err.contains("hint: projects: widget, Beta"), "{}", ended.err);
    fixture.stop();
}

#[test]
fn t_11_show_lists_the_possible_actions() {
    let fixture = CliFixture::with_project();
    fixture.add_agent("ada", "true");
    let description = "Line one\nline \u{1b}[31mtwo";
    let new = ["task", "new", "Fix red text", "-l", "ui", "-l", "small", "--ci", "cargo test"];
    fixture.run(&[&new[..], &["-d", description]].concat());
    fixture.run(&["task", "assign", "T-1", "coder", "--agent", "ada"]);
    let shown = fixture.run(&["task", "show", "T-1"]);
    insta::assert_snapshot!("task_show", stable_text(&shown));
    fixture.stop();
}

#[test]
fn t_8_a_refused_move_lists_the_other_targets_and_a_move_keeps_its_reason() {
    let fixture = three_tasks();
    let ended = fixture.fail(1, &["task", "move", "T-3", "nowhere"]);
    assert!(ended.err.contains("[invalid_transition]"), "{}", ended.err);
    assert!(
        ended.err.ends_with("hint: choose one of: todo, blocked, cancelled\n"),
        "{}",
        ended.err
    );
    fixture.run(&["task", "move", "T-3", "todo", "--reason", "why not"]);
    let history = fixture.run(&["task", "history", "T-3"]);
    assert!(history.contains("why not"), "{history}");
    fixture.stop();
}

#[test]
fn t_8_a_move_of_a_task_that_changed_meanwhile_is_refused() {
    let fixture = three_tasks();
    let mut other = CliUser::at(fixture.serving.url());
    other.set("FORGE_TOKEN", TOKEN);
    let url = fixture.serving.url().to_owned();
    let proxy = InterceptingProxy::start(&url, "/transition", PassedOn::Nothing, move || {
        let ended = other.run(&["task", "move", "T-3", "todo"]);
        assert_eq!(ended.code, 0, "{ended:?}");
    });
    let ended = fixture.fail(1, &["--url", proxy.url(), "task", "move", "T-3", "todo"]);
    assert!(ended.err.contains("[version_conflict]"), "the version it read: {ended:?}");
    fixture.stop();
}

#[test]
fn t_9_a_rejection_by_the_gate_exits_with_1_and_the_output() {
    let fixture = CliFixture::with_project();
    fixture.run(&["task", "new", "Fix", "--ci", "echo two; echo lines; exit 101"]);
    fixture.run(&["task", "claim", "T-1"]);
    let ended = fixture.fail(1, &["task", "move", "T-1", "review"]);
    assert_eq!(ended.err, "");
    let (text, duration) = ended.out.split_once("exit 101  (").expect("how long it took");
    let (milliseconds, rest) = duration.split_once(" ms").expect("a duration");
    assert!(milliseconds.parse::<u32>().is_ok(), "{ended:?}");
    insta::assert_snapshot!("gate_failed", stable_text(&format!("{text}exit 101  (12 ms{rest}")));
    fixture.stop();
}

#[test]
fn t_1_a_new_task_carries_all_options() {
    let fixture = three_tasks();
    let options = ["-d", "-", "--ci", "make", "--ci", "make test", "-l", "ui", "--priority", "-2"];
    let arguments =
        [&["task", "new"], &options[..], &["--depends-on", "T-1", "-q", "--", "-x"]].concat();
    let ended = fixture.user.pipe("the prompt\n", &arguments);
    assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{ended:?}");
    assert_eq!(ended.out, "T-4  backlog  -x\n");
    let task = fixture.json(&["task", "show", "T-4"]);
    assert_eq!(task["title"], "-x");
    assert_eq!(task["description"], "the prompt\n");
    assert_eq!(task["review_config"]["ci_steps"], json!(["make", "make test"]));
    assert_eq!((&task["priority"], &task["labels"]), (&json!(-2), &json!(["ui"])));
    let other = fixture.json(&["task", "show", "T-1"]);
    assert_eq!(task["dependencies"], json!([other["id"]]));
    fixture.stop();
}

#[test]
fn a_shell_agent_keeps_its_arguments_apart() {
    let fixture = CliFixture::with_project();
    let options = ["--max-concurrent", "3", "--role", "coder", "--", "sh", "-c", "a b; $c"];
    let add = [&["agent", "add", "shelly"], &options[..]].concat();
    fixture.run(&add);
    let agent = fixture.json(&["agent", "show", "shelly"]);
    let executor =
        json!({ "kind": "shell", "command": ["sh", "-c", "a b; $c"], "timeout_seconds": null });
    assert_eq!(agent["executor"], executor);
    assert_eq!((&agent["roles"], &agent["max_concurrent"]), (&json!(["coder"]), &json!(3)));
    let twice = fixture.fail(1, &add);
    assert!(twice.err.contains("[duplicate]"), "{}", twice.err);
    fixture.stop();
}

#[test]
fn init_registers_the_current_repository_once() {
    let fixture = CliFixture::start();
    let deep = fixture.repo.join("src/deep");
    std::fs::create_dir_all(&deep).expect("made");
    let path = fixture.repo.canonicalize().expect("a path");
    for _ in 0..2 {
        let ended = fixture.user.run_in(&deep, &["init"]);
        assert_eq!(ended.code, 0, "{ended:?}");
        assert_eq!(ended.out, format!("Project widget works on {}\n", path.display()));
        assert!(ended.err.starts_with("Next: "), "{}", ended.err);
    }
    let projects = fixture.json(&["project", "list"]);
    assert_eq!(projects["items"].as_array().map(Vec::len), Some(1), "{projects}");
    assert_eq!(projects["items"][0]["name"], "widget");
    let repos = fixture.json(&["repo", "list"]);
    assert_eq!(repos["items"].as_array().map(Vec::len), Some(1), "{repos}");
    assert_eq!(repos["items"][0]["path"], path.to_str().expect("UTF-8"));
    let outside = fixture.user.run(&["init"]);
    assert_eq!(outside.code, 2);
    assert!(outside.err.contains("is in no git repository"), "{}", outside.err);
    fixture.stop();
}

/// The project and its repository are one request: if the repository is refused, no project is left.
#[test]
fn init_with_a_repository_that_cannot_be_used_creates_no_project() {
    let fixture = CliFixture::start();
    let broken = fixture.user.home.path().join("broken");
    std::fs::create_dir_all(broken.join(".git")).expect("made");
    let ended = fixture.user.run_in(&broken, &["init"]);
    assert_eq!(ended.code, 1, "{ended:?}");
    assert_eq!(fixture.json(&["project", "list"])["items"], json!([]));
    fixture.stop();
}

#[test]
fn w_16_a_patch_keeps_its_bytes() {
    let fixture = CliFixture::start();
    fixture.commit("a", "old\t\n");
    fixture.run(&["init"]);
    fixture.add_agent("ada", "printf 'new\\r' > a");
    fixture.finish_task("T-1", "Fix", "ada");
    let id = fixture.json(&["task", "show", "T-1"])["id"].as_str().expect("text").to_owned();
    let patch = fixture.run(&["task", "diff", &id]);
    assert!(patch.starts_with("diff --git a/a b/a\n"), "{patch:?}");
    let end = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-old\t\n+new\r\n\\ No newline at end of file\n";
    assert!(patch.ends_with(end), "{patch:?}");
    std::fs::write(fixture.repo.join("its.patch"), &patch).expect("written");
    git(&fixture.repo, &["apply", "its.patch"]);
    assert_eq!(std::fs::read(fixture.repo.join("a")).expect("a file"), b"new\r");
    fixture.stop();
}
