//! The real server, from an empty directory to a landed branch, by the command line alone (SPEC S-4).

use std::path::{Path, PathBuf};

use forge_api::{EventQuery, SecretString, Task, TaskPhase};
use forge_client::ApiClient;
use serde_json::Value;

use crate::forge::{CliUser, search_path};
use crate::serve::{TOKEN, TestServer};

/// A repository of the user with one commit.
pub(crate) fn repository(user: &CliUser) -> PathBuf {
    let repo = user.home.path().join("widget");
    std::fs::create_dir(&repo).expect("made");
    git(&repo, &["init", "-q"]);
    git(&repo, &["commit", "-q", "--allow-empty", "-m", "Begin"]);
    repo
}

/// A server, a signed-in user, and the user's repository.
pub(crate) fn start_server() -> (TestServer, CliUser, PathBuf) {
    let serving = TestServer::start(&[("FORGE_BOOTSTRAP_TOKEN", TOKEN)]);
    let mut user = CliUser::at(serving.url());
    user.set("FORGE_TOKEN", TOKEN);
    let repo = repository(&user);
    (serving, user, repo)
}

pub(crate) fn git(dir: &Path, arguments: &[&str]) -> String {
    let identity = [
        "-c",
        "user.name=Ann",
        "-c",
        "user.email=ann@example.org",
        "-c",
        "init.defaultBranch=main",
    ];
    let output = assert_cmd::Command::new("git")
        .args(identity)
        .args(arguments)
        .current_dir(dir)
        .env_clear()
        .env("PATH", search_path())
        .env("HOME", dir)
        .output()
        .expect("git runs");
    assert!(output.status.success(), "git {arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// Follows the events until every task of the project has ended.
pub(crate) fn wait_for_all_ended(url: &str, project: &str) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let url = url.parse().expect("an address");
        let client = ApiClient::new(url, Some(&SecretString::new(TOKEN))).expect("a client");
        let project = project.parse().expect("an identifier");
        let mut events = client.events().follow(EventQuery::default()).await.expect("a stream");
        loop {
            let tasks =
                client.tasks().fetch_page(project, &Default::default()).await.expect("tasks").items;
            if tasks.iter().all(|task| task.phase == TaskPhase::Done && task.busy.is_none()) {
                return;
            }
            events.next().await.expect("an event");
        }
    });
}

/// Follows the events until the condition holds for the first task of the only project and its number of executions;
/// returns the task.
pub(crate) fn wait_until(url: &str, so: impl Fn(&Task, usize) -> bool) -> Task {
    wait_until_task(url, 1, so)
}

/// The same for the task with this number.
pub(crate) fn wait_until_task(url: &str, number: u64, so: impl Fn(&Task, usize) -> bool) -> Task {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let url = url.parse().expect("an address");
        let client = ApiClient::new(url, Some(&SecretString::new(TOKEN))).expect("a client");
        let mut events = client.events().follow(EventQuery::default()).await.expect("a stream");
        let projects =
            client.projects().fetch_page(&Default::default()).await.expect("projects").items;
        let project = projects.first().expect("a project").id;
        loop {
            let task = client.tasks().fetch_by_number(project, number).await.expect("the task");
            let runs =
                client.tasks().fetch_executions(task.id, &Default::default()).await.expect("runs");
            if so(&task, runs.items.len()) {
                return task;
            }
            events.next().await.expect("an event");
        }
    })
}

#[test]
fn s_4_one_task_goes_from_an_empty_server_to_a_landed_branch() {
    let (serving, user, repo) = start_server();
    let run = |arguments: &[&str]| user.succeed_in(&repo, arguments);
    assert!(run(&["init", "--workflow", "autopilot"]).starts_with("Project widget works on "));
    run(&["init"]);
    run(&[
        "agent",
        "add",
        "scribe",
        "--",
        "sh",
        "-c",
        "echo hello > greeting.txt; echo I wrote it",
    ]);
    run(&["task", "new", "Greet the world", "--ci", "test -f greeting.txt", "-l", "polite"]);
    run(&["task", "comment", "T-1", "Be brief."]);
    let claimed: Value =
        serde_json::from_str(&run(&["task", "claim", "T-1", "--agent", "scribe", "--json"]))
            .expect("one document");
    let project = claimed["task"]["project_id"].as_str().expect("an identifier");
    wait_for_all_ended(serving.url(), project);

    assert_eq!(git(&repo, &["show", "main:greeting.txt"]), "hello\n");
    assert!(run(&["task", "log", "T-1"]).contains("I wrote it\n"));
    assert!(run(&["task", "show", "T-1"]).contains("attempt     1 passed"));
    assert!(run(&["task", "history", "T-1"]).lines().count() > 4);
    assert!(run(&["task", "comment", "T-1"]).contains("Be brief."));
    let steps: Value =
        serde_json::from_str(&run(&["task", "effects", "T-1", "--json"])).expect("one document");
    let steps = steps["items"].as_array().expect("a list");
    assert!(!steps.is_empty() && steps.iter().all(|step| step["state"] == "done"), "{steps:?}");
    let list = run(&["task", "list", "--label", "polite"]);
    assert!(list.lines().nth(1).is_some_and(|line| line.starts_with("T-1 ")), "{list}");

    let late = user.run_in(&repo, &["task", "cancel", "T-1"]);
    assert_eq!(late.code, 1);
    assert!(late.err.contains("[task_terminal]"), "{}", late.err);
    let missing = user.run_in(&repo, &["task", "show", "T-99"]);
    assert_eq!(missing.code, 3, "{missing:?}");
    assert_eq!(serving.stop(), Some(0));
}

#[test]
fn the_demo_runs_to_its_end_and_leaves_nothing() {
    let mut user = CliUser::new();
    user.set("PATH", &search_path());
    let scratch = user.home.path().join("scratch");
    std::fs::create_dir(&scratch).expect("made");
    user.set("TMPDIR", scratch.to_str().expect("UTF-8"));
    // Belongs to the user's own server, which must not be touched.
    user.set("FORGE_DATABASE_URL", "sqlite:/nonexistent/forge.db");
    let ended = user.run(&["demo"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let rows: Vec<_> = ended.out.lines().filter(|line| line.starts_with("T-")).collect();
    assert_eq!(rows.len(), 6, "{}", ended.out);
    let (_, log) = ended.out.split_once("git log --oneline\n").expect("the log");
    assert_eq!(log.lines().count(), 6, "five landed on the first commit: {log}");
    assert!(ended.err.lines().count() > 20, "progress was printed: {}", ended.err);
    let left = std::fs::read_dir(&scratch).expect("still there").count();
    assert_eq!(left, 0);
}
