//! The command `forge repo` (SPEC S-4, M-15).

use forge_testkit::git_server::GitServer;
use forge_testkit::test_repository::TestRepository;
use tokio::runtime::Runtime;

use crate::cli_fixture::CliFixture;

const SECRET: &str = "hunter2hunter2";

#[test]
fn m_15_pushing_and_the_token_are_set_without_a_token_argument() {
    let runtime = Runtime::new().expect("a runtime");
    let fixture = CliFixture::start_with(&[("FORGE_PRIVATE_HOSTS", "127.0.0.1")]);
    let place = tempfile::tempdir().expect("a directory");
    let remote = runtime.block_on(async {
        let repository = TestRepository::create(&place.path().join("repository")).await;
        GitServer::start_as(&place.path().join("server"), &repository, SECRET, "shop.git").await
    });
    let url = remote.url();
    fixture.run(&["project", "new", "Alpha", "--workflow", "autopilot"]);
    let added = fixture.user.pipe(SECRET, &["repo", "add", &url, "--token", "-"]);
    assert_eq!(added.code, 0, "{added:?}");
    fixture.run(&["repo", "push", "off"]);
    let ended = fixture.run(&["repo", "push", "on"]);
    assert_eq!(ended, format!("What lands in shop is pushed to {url}\n"));
    let shown = fixture.json(&["repo", "remote"]);
    assert_eq!((&shown["push"], &shown["has_token"]), (&true.into(), &true.into()), "{shown}");

    // The server of the test accepts one user name only: the default one.
    let file = fixture.user.home.path().join("token");
    std::fs::write(&file, format!("{SECRET}\n")).expect("written");
    let named = format!("@{}", file.display());
    let succeed = |input: &str, arguments: &[&str]| {
        let ended = fixture.user.pipe(input, arguments);
        assert_eq!(ended.code, 0, "{ended:?}");
        assert!(!format!("{ended:?}").contains("hunter2"), "{ended:?}");
    };
    succeed("", &["repo", "token", "set", &named, "--user-name", "me"]);
    fixture.add_agent("ada", "echo x >> x.txt");
    fixture.start_task("T-1", "Work", "ada");
    let refused = fixture.wait_until("T-1", |task| task.error_annotation.is_some());
    let refused = format!("{:?}", refused.error_annotation);
    assert_eq!(remote.pushes(), 0, "the remote knows no such user: {refused}");
    assert!(refused.contains("push_failed") && !refused.contains("hunter2"), "{refused}");
    succeed(&format!("{SECRET}\n"), &["repo", "token", "set", "--repo", "shop"]);
    fixture.run(&["task", "move", "T-1", "in_progress"]);
    fixture.wait_until("T-1", |task| task.landing.is_some() && task.busy.is_none());
    assert_eq!(remote.pushes(), 1);
    succeed("", &["repo", "token", "remove"]);
    assert_eq!(fixture.json(&["repo", "remote"])["has_token"], false);

    let refused = fixture.fail(2, &["repo", "token", "set", SECRET]);
    assert!(refused.err.contains("can be read by others"), "{}", refused.err);
    assert_eq!(fixture.json(&["repo", "remote"])["has_token"], false);
    fixture.stop();
}

#[test]
fn s_4_removing_a_repository_needs_confirmation_and_reports_a_refusal() {
    let fixture = CliFixture::with_project();
    fixture.run(&["task", "new", "Work"]);
    fixture.run(&["task", "claim", "T-1"]);
    fixture.fail(2, &["repo", "remove", "widget"]);
    let refused = fixture.fail(1, &["repo", "remove", "widget", "--yes"]);
    assert!(refused.err.contains("repo_in_use"), "{}", refused.err);
    assert!(refused.err.contains("T-1"), "{}", refused.err);
    let unknown = fixture.fail(3, &["repo", "remove", "shed", "--yes"]);
    assert!(unknown.err.contains("repositories: widget"), "{}", unknown.err);
    let repos = fixture.json(&["repo", "list"]);
    assert_eq!(repos["items"].as_array().map(Vec::len), Some(1), "{repos}");
    fixture.stop();
}
