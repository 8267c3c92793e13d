//! `kill -9` of the real server in the middle of a clone (P-4): the next start removes the partial clone.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(
    clippy::disallowed_methods,
    reason = "this test acts as a user at a terminal: it starts and kills the binary"
)]

use forge_api::{NewProject, NewRepo, SecretString};
use forge_client::{ApiClient, ServerUrl};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tokio::net::TcpListener;

const TOKEN: &str = "fg_a-token-that-only-this-test-knows-9876543210";

fn start(data: &Path) -> (Child, ApiClient) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_forge"))
        .args(["serve", "--bind", "127.0.0.1:0", "--log-level", "error", "--data-dir"])
        .arg(data)
        .env("FORGE_BOOTSTRAP_TOKEN", TOKEN)
        .env("FORGE_PRIVATE_HOSTS", "127.0.0.1")
        .env_remove("FORGE_TOKEN")
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let address = lines.map_while(Result::ok).find_map(|line| {
        line.split_whitespace().find(|word| word.starts_with("http://")).map(str::to_owned)
    });
    let url: ServerUrl = address.expect("it says where it listens").parse().expect("an address");
    (child, ApiClient::new(url, Some(&SecretString::new(TOKEN))).expect("a client"))
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
async fn p_4_a_partial_clone_is_removed_by_the_next_start() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    let (server, client) = start(&data);
    let asked: NewProject = serde_json::from_value(serde_json::json!({ "name": "Far" })).unwrap();
    let project = client.projects().create(&asked).await.expect("a project").id;
    // A host that accepts the connection and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/far.git", silent.local_addr().unwrap());
    let asked: NewRepo = serde_json::from_value(serde_json::json!({ "url": url })).unwrap();
    let call = tokio::select! {
        called = silent.accept() => called.expect("git calls").0,
        answered = client.repos().add(project, &asked) => panic!("answered: {answered:?}"),
    };
    let left = clones(&data);
    assert!(matches!(&left[..], [one] if one.extension().unwrap() == "part"), "{left:?}");
    kill(server);
    drop(call);
    assert_eq!(clones(&data), left, "no server was running to remove it");
    let (server, client) = start(&data);
    assert_eq!(clones(&data), Vec::<PathBuf>::new());
    let report = client.system().fetch_recovery().await.expect("the report");
    assert_eq!(report.clones_discarded, 1);
    kill(server);
}
