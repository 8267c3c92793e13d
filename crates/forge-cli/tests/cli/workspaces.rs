//! Workspaces on the command line (SPEC W-16).

use serde_json::Value;

use crate::answers::{malformed_workspace, page};
use crate::cli_fixture::{CliFixture, wait_for_writer};
use crate::forge::CliUser;
use crate::stable_text::{stable_paths, stable_table};
use crate::stub_server::StubServer;

/// Leaves commits, changed and new files in the workspace, and waits until it is stopped.
const WORK: &str = r#"git config user.name Ada; git config user.email ada@example.org
echo one > new.txt; git add new.txt; git commit -qm One; echo two > new.txt; git commit -qam Two
for name in a b c; do echo changed > $name.rs; done; echo x > untracked.txt
echo up > "$HOME/up"; exec tail -f /dev/null"#;

/// A task at work, one that changed nothing, and one whose directory is gone.
fn three_workspaces() -> CliFixture {
    let fixture = CliFixture::start();
    for name in ["a.rs", "b.rs", "c.rs"] {
        fixture.commit(name, "begun\n");
    }
    fixture.run(&["init"]);
    let up = fixture.make_pipe("up");
    fixture.add_agent("ada", WORK);
    fixture.start_task("T-1", "Fix", "ada");
    wait_for_writer(&up);
    fixture.commit("later.rs", "landed meanwhile\n");
    for key in ["T-2", "T-3"] {
        fixture.run(&["task", "new", "Look"]);
        fixture.run(&["task", "claim", key]);
    }
    let taken = fixture.user.home.path().join("taken");
    std::fs::rename(fixture.workspace("T-3"), taken).expect("moved away");
    fixture
}

/// The output with one number for the process that uses the first workspace.
fn with_stable_process(fixture: &CliFixture, text: &str) -> String {
    let pid = &fixture.json(&["workspace", "show", "T-1"])["lock"]["pid"];
    text.replace(&format!("process {pid}"), "process 4711")
}

#[test]
fn w_16_the_list_shows_the_state_of_each() {
    let fixture = three_workspaces();
    let listed = fixture.run(&["workspace", "list"]);
    let listed = stable_table(&with_stable_process(&fixture, &listed), fixture.serving.home());
    insta::assert_snapshot!("workspace_list", listed);
    fixture.run(&["task", "stop", "T-1"]);
    fixture.stop();
}

#[test]
fn w_16_a_workspace_is_shown_with_its_lock_holder() {
    let fixture = three_workspaces();
    let shown = fixture.run(&["workspace", "show", "T-1"]);
    let shown = stable_paths(&with_stable_process(&fixture, &shown), fixture.serving.home());
    insta::assert_snapshot!("workspace_show", shown);
    let document = fixture.json(&["workspace", "show", "T-1"]);
    let pid = document["lock"]["pid"].as_i64().expect("a process");
    let marked = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    assert!(!marked.is_empty(), "process {pid} runs: {document}");
    fixture.run(&["task", "stop", "T-1"]);
    fixture.stop();
}

#[test]
fn w_16_a_diff_can_be_summarised() {
    let fixture = CliFixture::start();
    fixture.commit("a.rs", "one\ntwo\nthree\n");
    fixture.commit("c.rs", "a file\nof some\nlines\n");
    fixture.run(&["init"]);
    let script = r#"printf '1\n2\n3\n' > a.rs; git mv c.rs "$(printf 'b\033.rs')"; printf '\000\001' > logo.png"#;
    fixture.add_agent("ada", script);
    fixture.finish_task("T-1", "Fix", "ada");
    insta::assert_snapshot!("diff_stat", fixture.run(&["task", "diff", "T-1", "--stat"]));
    fixture.stop();
}

/// The server refuses such a title; another program on the port may answer one.
#[test]
fn w_16_control_characters_of_a_malformed_answer_are_not_printed() {
    let server = StubServer::new(|asked| {
        asked.starts_with("GET /workspaces?").then(|| page(Value::from([malformed_workspace()])))?
    });
    let ended = CliUser::at(&server.url).run(&["workspace", "list"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.out.contains("forge/\u{fffd}[31mred"), "{ended:?}");
    assert!(!ended.out.contains('\u{1b}'), "{ended:?}");
}
