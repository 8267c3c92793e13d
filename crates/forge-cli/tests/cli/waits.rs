//! `forge why` against the real server: the true reason in each case (SPEC E-10, E-11).

use serde_json::Value;

use crate::forge::{CliUser, CommandResult};
use crate::serve::{TOKEN, TestServer};
use crate::walk::{repository, wait_until};

/// Uses 107 tokens and ends.
const PAID: &str = r#"cat > /dev/null; echo x >> work.txt
echo '{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s","total_cost_usd":0.25,"usage":{"input_tokens":100,"output_tokens":7}}'"#;
/// Reports that its quota is used up.
const OUT_OF_QUOTA: &str = r#"cat > /dev/null
echo '{"type":"result","subtype":"success","is_error":true,"result":"You have hit your limit","session_id":"s"}'; exit 1"#;
const SLOW: &str = "exec tail -f /dev/null";

struct WaitCase {
    /// The code of the first reason.
    code: &'static str,
    /// Words in the text for people.
    words: &'static str,
    /// Additional variables of the server's environment.
    variables: &'static [(&'static str, &'static str)],
    /// The commands that lead to it, in a project with the task T-1, with dispatch on and no agent.
    steps: &'static [&'static [&'static str]],
    /// The task that waits.
    task: &'static str,
}

const ADA: &[&str] = &["agent", "add", "ada", "--", "true"];
const SLOW_ADA: &[&str] = &["agent", "add", "ada", "--", "sh", "-c", SLOW];
const NEW: &[&str] = &["task", "new", "Another"];
const QUEUE: &[&str] = &["task", "move", "T-2", "todo"];

const CASES: [WaitCase; 8] = [
    WaitCase {
        code: "no_agent",
        words: "no agent is registered",
        variables: &[],
        steps: &[],
        task: "T-1",
    },
    WaitCase {
        code: "project_paused",
        words: "the project is paused",
        variables: &[],
        steps: &[&["project", "pause", "widget"], ADA],
        task: "T-1",
    },
    WaitCase {
        code: "agent_paused",
        words: "ada is paused",
        variables: &[],
        steps: &[&["dispatch", "pause"], ADA, &["agent", "pause", "ada"], &["dispatch", "resume"]],
        task: "T-1",
    },
    WaitCase {
        code: "dependency",
        words: "it waits for T-1",
        variables: &[],
        steps: &[&["task", "new", "Later", "--depends-on", "T-1"]],
        task: "T-2",
    },
    WaitCase {
        code: "agent_at_capacity",
        words: "ada is busy",
        variables: &[],
        steps: &[
            &["dispatch", "off", "widget"],
            SLOW_ADA,
            &["task", "claim", "T-1", "--agent", "ada"],
            NEW,
            QUEUE,
            &["dispatch", "on", "widget"],
        ],
        task: "T-2",
    },
    WaitCase {
        code: "budget_exhausted",
        words: "the budget of the project is used up (107 of 100 tokens)",
        variables: &[],
        steps: &[
            &["dispatch", "off", "widget"],
            &["budget", "--tokens", "100"],
            &["agent", "add", "ada", "--kind", "claude", "--", "sh", "-c", PAID, "claude"],
            &["task", "claim", "T-1", "--agent", "ada"],
            &["wait for T-1"],
            NEW,
            QUEUE,
            &["dispatch", "on", "widget"],
        ],
        task: "T-2",
    },
    WaitCase {
        code: "quota_wait",
        words: "ada is waiting for quota",
        variables: &[],
        steps: &[
            &["dispatch", "off", "widget"],
            &["agent", "add", "ada", "--kind", "claude", "--", "sh", "-c", OUT_OF_QUOTA, "claude"],
            &["task", "claim", "T-1", "--agent", "ada"],
            &["wait for T-1"],
            NEW,
            QUEUE,
            &["dispatch", "on", "widget"],
        ],
        task: "T-2",
    },
    WaitCase {
        code: "disk_low",
        words: "the disk has",
        variables: &[("FORGE_DISPATCH_MIN_DISK_BYTES", "9000000000000000000")],
        steps: &[ADA],
        task: "T-1",
    },
];

fn run(user: &CliUser, repo: &std::path::Path, arguments: &[&str]) -> CommandResult {
    let ended = user.run_in(repo, arguments);
    assert_eq!(ended.code, 0, "{arguments:?}: {ended:?}");
    ended
}

fn check(case: &WaitCase) {
    let mut variables = vec![("FORGE_BOOTSTRAP_TOKEN", TOKEN)];
    variables.extend(case.variables);
    let serving = TestServer::start(&variables);
    let mut user = CliUser::at(serving.url());
    user.set("FORGE_TOKEN", TOKEN);
    let repo = repository(&user);
    run(&user, &repo, &["init", "--workflow", "no-review"]);
    run(&user, &repo, &["dispatch", "on", "widget"]);
    run(&user, &repo, &["task", "new", "First"]);
    for step in case.steps {
        match step {
            ["wait for T-1"] => {
                wait_until(serving.url(), |task, _| {
                    let over = task.status == "done" || task.error_annotation.is_some();
                    over && task.busy.is_none()
                });
            }
            step => drop(run(&user, &repo, step)),
        }
    }
    let why = run(&user, &repo, &["why", case.task]);
    let headline = format!("{}  todo  waits for an agent\n", case.task);
    assert!(why.out.starts_with(&headline), "{}: {why:?}", case.code);
    assert!(why.out.contains(case.words), "{}: {why:?}", case.code);
    let why: Value =
        serde_json::from_str(&run(&user, &repo, &["why", case.task, "--json"]).out).expect("JSON");
    assert_eq!(why["reasons"][0]["code"], case.code, "{why}");
    assert_eq!(serving.stop(), Some(0), "{}", case.code);
}

#[test]
fn e_10_forge_why_names_the_true_reason_in_each_case() {
    for case in &CASES {
        check(case);
    }
}
