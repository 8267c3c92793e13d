//! Which of the server's secrets agents can read, and which variables they get (issue 13.8).

use std::io::ErrorKind;

use serde_json::Value;

use crate::forge::CliUser;
use crate::serve::{TOKEN, TestServer};

const GITHUB: &str = "ghp_a-token-that-no-agent-may-see";
const OTHER: &str = "a-secret-that-is-not-passed";

/// Prints the agent's own environment, and what it can read of the server's: its parents up to the first process.
const SPY: &str = r#"
{ env; pid=$PPID
  while [ "${pid:-0}" -gt 1 ]; do
    echo "== $(tr '\0' ' ' < /proc/$pid/cmdline)"
    tr '\0' '\n' < /proc/$pid/environ 2> /dev/null
    pid=$(cut -d' ' -f4 /proc/$pid/stat)
  done; } > seen.txt 2> /dev/null
"#;

fn serving() -> (TestServer, CliUser) {
    let serving = TestServer::start(&[
        ("FORGE_BOOTSTRAP_TOKEN", TOKEN),
        ("GITHUB_TOKEN", GITHUB),
        ("OTHER_SECRET", OTHER),
        ("ANTHROPIC_API_KEY", OTHER),
        ("MY_TOOL", "passed-on"),
        ("LC_TIME", "C"),
    ]);
    let mut user = CliUser::at(serving.url());
    user.set("FORGE_TOKEN", TOKEN);
    (serving, user)
}

#[test]
fn issue_13_08_no_secret_is_in_the_environment_of_a_running_server() {
    let (serving, user) = serving();
    match std::fs::read(format!("/proc/{}/environ", serving.pid())) {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes);
            assert!(text.contains("MY_TOOL=passed-on"), "it is the server's: {text}");
            for secret in [TOKEN, GITHUB] {
                assert!(!text.contains(secret), "{text}");
            }
        }
        // Only root may read it.
        Err(error) => assert_eq!(error.kind(), ErrorKind::PermissionDenied),
    }
    let inherited = std::fs::read_dir(format!("/proc/{}/fd", serving.pid()));
    let links = inherited.into_iter().flatten().flatten();
    for link in links.filter_map(|entry| std::fs::read_link(entry.path()).ok()) {
        assert!(!link.to_string_lossy().contains("memfd:forge-secrets"), "it is closed");
    }
    assert_eq!(user.run(&["project", "list"]).code, 0, "and the token works");
    assert_eq!(serving.stop(), Some(0));
}

#[test]
fn issue_13_08_an_agent_gets_the_listed_and_the_passed_variables() {
    let (serving, user) = serving();
    let succeed = |arguments: &[&str]| {
        let ended = user.run(arguments);
        assert_eq!(ended.code, 0, "{arguments:?}: {ended:?}");
        ended.out
    };
    succeed(&["project", "new", "Plain"]);
    let place = serving.home().join("place");
    let project: Value = serde_json::from_str(&succeed(&["project", "list", "--json"])).unwrap();
    assert_eq!(project["items"][0]["name"], "Plain");
    let repository = serving.home().join("repo");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(forge_testkit::test_repository::TestRepository::create(&repository));
    succeed(&["repo", "add", repository.to_str().expect("UTF-8")]);
    let script = format!("{SPY}\ncp seen.txt {}", place.display());
    succeed(&["agent", "add", "ada", "--pass", "MY_TOOL", "--", "sh", "-c", &script]);
    succeed(&["task", "new", "One"]);
    succeed(&["task", "claim", "T-1", "--agent", "ada"]);
    succeed(&["task", "log", "T-1", "--follow"]);
    // The walk ends at the machine's first process; its environment need not be UTF-8.
    let bytes = std::fs::read(&place).expect("the agent ran");
    let seen = String::from_utf8_lossy(&bytes);
    assert!(seen.contains("MY_TOOL=passed-on") && seen.contains("LC_TIME=C"), "{seen}");
    let own = seen.split("== ").next().expect("its own");
    for secret in ["OTHER_SECRET", "ANTHROPIC_API_KEY"] {
        assert!(!own.contains(secret), "{own}");
    }
    for secret in [TOKEN, GITHUB] {
        assert!(!seen.contains(secret), "{seen}");
    }

    let shown = succeed(&["agent", "show", "ada"]);
    assert!(shown.contains("passed      MY_TOOL\n"), "{shown}");
    assert!(shown.contains("inherits") && shown.contains("PATH"), "{shown}");
    assert!(!shown.contains("charged"), "{shown}");
    let words = ["agent", "add", "cleo", "--kind", "claude", "--pass", "ANTHROPIC_API_KEY"];
    succeed(&[&words[..], &["--", "sh"]].concat());
    let shown = succeed(&["agent", "show", "cleo"]);
    let charged = "charged     ANTHROPIC_API_KEY is charged by use instead of a subscription\n";
    assert!(shown.contains(charged), "{shown}");
    let json: Value = serde_json::from_str(&succeed(&["agent", "show", "cleo", "--json"])).unwrap();
    assert_eq!(json["environment"]["passed"], serde_json::json!(["ANTHROPIC_API_KEY"]));
    let refused = user.run(&["agent", "add", "mal", "--pass", "GITHUB_TOKEN", "--", "true"]);
    assert_ne!(refused.code, 0);
    assert!(refused.err.contains("GITHUB_TOKEN"), "{}", refused.err);
    assert_eq!(serving.stop(), Some(0));
}
