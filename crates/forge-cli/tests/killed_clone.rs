//! `kill -9` of the real server in the middle of a clone (P-4): the next start leaves nothing of it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(
    clippy::disallowed_methods,
    reason = "this test is the person at the terminal: it starts and kills the binary"
)]

use forge_api::{NewProject, NewRepo, Secret};
use forge_client::{Client, ServerUrl};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tokio::net::TcpListener;

const TOKEN: &str = "fg_a-token-that-only-this-test-knows-9876543210";

fn start(data: &Path) -> (Child, Client) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_forge"))
        .args(["serve", "--bind", "127.0.0.1:0", "--log-level", "error", "--data-dir"])
        .arg(data)
        .env("FORGE_BOOTSTRAP_TOKEN", TOKEN)
        .env_remove("FORGE_TOKEN")
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let address = lines.map_while(Result::ok).find_map(|line| {
        line.split_whitespace().find(|word| word.starts_with("http://")).map(str::to_owned)
    });
    let url: ServerUrl = address.expect("it says where it listens").parse().expect("an address");
    (child, Client::new(url, Some(&Secret::new(TOKEN))).expect("a client"))
}

fn kill(mut server: Child) {
    server.kill().expect("SIGKILL");
    server.wait().expect("it is gone");
}

fn clones(data: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(data.join("repos")).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

#[tokio::test]
async fn p_4_a_clone_that_was_killed_half_way_is_gone_after_the_next_start() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    let (server, client) = start(&data);
    let asked: NewProject = serde_json::from_value(serde_json::json!({ "name": "Far" })).unwrap();
    let project = client.create_project(&asked).await.expect("a project").id;
    // A host that takes the call and never says a word.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/far.git", silent.local_addr().unwrap());
    let asked: NewRepo = serde_json::from_value(serde_json::json!({ "url": url })).unwrap();
    let call = tokio::select! {
        called = silent.accept() => called.expect("git calls").0,
        answered = client.add_repo(project, &asked) => panic!("answered: {answered:?}"),
    };
    let left = clones(&data);
    assert!(matches!(&left[..], [one] if one.extension().unwrap() == "part"), "{left:?}");
    kill(server);
    drop(call);
    assert_eq!(clones(&data), left, "nobody was there to clear it");
    let (server, client) = start(&data);
    assert_eq!(clones(&data), Vec::<PathBuf>::new());
    let report = client.fetch_recovery().await.expect("the report");
    assert_eq!(report.clones_discarded, 1);
    kill(server);
}
