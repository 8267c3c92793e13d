//! `forge agent remove`, `forge project remove` and `forge backup` (SPEC S-4, S-7, P-1).

use std::fs;

use tempfile::TempDir;

use crate::cli_fixture::CliFixture;
use crate::forge::CliUser;
use crate::serve::{TOKEN, TestServer};
use crate::walk::git;

#[test]
fn s_4_an_agent_at_work_is_named_and_a_free_one_removed() {
    let fixture = CliFixture::with_project();
    let pipe = fixture.make_pipe("go");
    fixture.add_agent("ada", &format!("read go < {}", pipe.display()));
    fixture.start_task("T-1", "Wait", "ada");
    let refused = fixture.fail(1, &["agent", "remove", "ada", "--yes"]);
    assert!(refused.err.contains("the agent ada is at work on T-1 of widget"), "{}", refused.err);
    fixture.run(&["task", "cancel", "T-1"]);
    fixture.fail(2, &["agent", "remove", "ada"]);
    assert_eq!(fixture.run(&["agent", "rm", "ada", "-y"]), "Removed agent ada\n");
    assert_eq!(fixture.run(&["agent", "list"]), "");
    let shown = fixture.run(&["task", "show", "T-1"]);
    assert!(shown.contains("coder       ada"), "the history names it: {shown}");
    fixture.add_agent("ada", "true");
    fixture.fail(3, &["agent", "remove", "ben", "--yes"]);
    fixture.stop();
}

#[test]
fn p_1_a_removed_project_lists_what_stays() {
    let fixture = CliFixture::with_project();
    fixture.add_agent("ada", "echo hi > hi.txt");
    fixture.finish_task("T-1", "Greet", "ada");
    let branch = fixture.json(&["workspace", "show", "T-1"])["branch"]
        .as_str()
        .expect("a branch")
        .to_owned();
    let refused = fixture.fail(1, &["project", "remove", "widget", "--yes"]);
    assert!(refused.err.contains("still has work in T-1"), "{}", refused.err);
    fixture.run(&["task", "cancel", "T-1"]);
    fixture.run(&["workspace", "clean", "T-1"]);
    fixture.wait_until("T-1", |task| task.cleanup.is_some() && task.busy.is_none());
    let out = fixture.run(&["project", "remove", "widget", "--yes"]);
    assert!(out.starts_with("Removed project widget\n"), "{out}");
    assert!(out.contains(&format!("    branch {branch}\n")), "{out}");
    assert!(out.contains(" saved states (refs/forge/journal/)\n"), "{out}");
    git(&fixture.repo, &["rev-parse", "--verify", &branch]);
    assert_eq!(fixture.run(&["project", "list"]), "");
    assert!(fixture.run(&["init"]).starts_with("Project widget works on "));
    assert_eq!(fixture.run(&["task", "list"]), "", "it is another project");
    fixture.stop();
}

#[test]
fn s_7_a_server_starts_on_a_backup() {
    let fixture = CliFixture::with_project();
    fixture.run(&["task", "new", "Before the copy"]);
    let directory = TempDir::new().expect("a directory");
    let place = directory.path().to_str().expect("UTF-8");
    let out = fixture.run(&["backup", place]);
    fixture.run(&["task", "new", "After the copy"]);
    let names: Vec<_> =
        fs::read_dir(place).expect("readable").map(|entry| entry.expect("one").path()).collect();
    let [copy] = names.as_slice() else { panic!("one file: {names:?}") };
    assert!(out.contains(copy.to_str().expect("UTF-8")), "{out}");
    let name = copy.file_name().expect("a name").to_str().expect("UTF-8");
    assert!(name.starts_with("forge-20") && name.ends_with("Z.db"), "{name}");
    let twice = fixture.fail(2, &["backup", copy.to_str().expect("UTF-8")]);
    assert!(twice.err.contains("exists already"), "{}", twice.err);
    let token = fixture.create_user("Ada");
    let refused = fixture.user_with_token(&token).run(&["backup", "mine.db"]);
    assert_eq!(refused.code, 4, "only an admin: {refused:?}");
    assert_eq!(
        fs::read_dir(fixture.user.home.path())
            .expect("readable")
            .filter(|entry| entry.as_ref().is_ok_and(|entry| entry.file_name() == "mine.db"))
            .count(),
        0
    );
    fixture.stop();

    let home = TempDir::new().expect("a directory");
    fs::create_dir(home.path().join("data")).expect("made");
    fs::copy(copy, home.path().join("data/forge.db")).expect("copied");
    let restored = TestServer::start_on(home, &[]);
    let mut user = CliUser::at(restored.url());
    user.set("FORGE_TOKEN", TOKEN);
    let listed = user.run(&["task", "list"]);
    assert_eq!(listed.code, 0, "{listed:?}");
    assert!(listed.out.contains("Before the copy"), "{listed:?}");
    assert!(!listed.out.contains("After the copy"), "{listed:?}");
    assert_eq!(restored.stop(), Some(0));
}
