//! `forge verdict` inside a reviewer's execution, and the commands of users (SPEC M-3, M-4).

use serde_json::Value;

use crate::forge::CliUser;
use crate::walk::{git, start_server, wait_until};

#[test]
fn m_3_m_4_a_reviewer_gives_a_verdict_and_a_user_overrides_it() {
    let (serving, user, repo) = start_server();
    let run = |arguments: &[&str]| user.succeed_in(&repo, arguments);
    let forge = assert_cmd::cargo::cargo_bin!("forge").display();
    run(&["init"]);
    run(&["agent", "add", "coder", "--", "sh", "-c", "echo good > good.txt"]);
    let script = format!(
        "{forge} verdict pass; {forge} verdict blocked --feedback 'no network here'; echo '{{\"verdict\":\"pass\"}}'"
    );
    run(&["agent", "add", "reviewer", "--", "sh", "-c", &script]);
    run(&["task", "new", "Limits", "--ci", "echo checked; test -f good.txt"]);
    run(&["task", "assign", "T-1", "reviewer", "--agent", "reviewer"]);
    run(&["task", "claim", "T-1", "--agent", "coder"]);
    let parked = wait_until(serving.url(), |task, _| task.error_annotation.is_some());
    let trouble = parked.error_annotation.expect("a trouble").message;
    assert!(trouble.contains("no network here"), "{trouble}");

    let shown = run(&["task", "review", "T-1"]);
    assert!(shown.starts_with("attempt 1: blocked"), "{shown}");
    assert!(shown.contains("passed  echo checked; test -f good.txt  ("), "{shown}");
    assert!(shown.contains("decided by reviewer") && shown.contains("no network here"), "{shown}");
    assert_eq!(run(&["task", "review", "T-1", "--log"]), "checked\n");
    let all: Value =
        serde_json::from_str(&run(&["task", "review", "T-1", "--json"])).expect("one document");
    assert_eq!(all[0]["step_results"][0]["exit_code"], 0);

    let wordless = user.run_in(&repo, &["task", "approve", "T-1"]);
    assert!(wordless.code != 0 && wordless.err.contains("say why"), "{wordless:?}");
    let approved = run(&["task", "approve", "T-1", "--reason", "I looked at it myself"]);
    assert!(approved.starts_with("T-1  review\nattempt 1: passed"), "{approved}");
    assert!(approved.contains("approved against the gate by admin: I looked"), "{approved}");
    assert!(approved.contains("I looked at it myself"), "{approved}");
    run(&["task", "move", "T-1", "merging"]);
    assert_eq!(git(&repo, &["show", "main:good.txt"]), "good\n");
}

#[test]
fn m_3_a_verdict_outside_of_an_execution_is_refused_locally() {
    let user = CliUser::at("http://127.0.0.1:9");
    let ended = user.run(&["verdict", "pass"]);
    assert!(ended.code == 2 && ended.err.contains("--execution"), "{ended:?}");
    let execution = "01900000-0000-7000-8000-000000000000";
    let ended = user.run(&["verdict", "fail", "--execution", execution]);
    assert!(ended.code == 2 && ended.err.contains("--feedback"), "{ended:?}");
}

#[test]
fn m_4_refusals_explain_what_to_do() {
    let (serving, user, repo) = start_server();
    let run = |arguments: &[&str], code: i32, words: &[&str]| {
        let ended = user.run_in(&repo, arguments);
        assert_eq!(ended.code, code, "{arguments:?}: {ended:?}");
        for word in words {
            let told = if code == 0 { &ended.out } else { &ended.err };
            assert!(told.contains(word), "{word:?} is missing in {ended:?}");
        }
    };
    run(&["init"], 0, &[]);
    let script = "grep -o 'use tabs' \"$FORGE_PROMPT_FILE\" > tabs.txt; true";
    run(&["agent", "add", "coder", "--", "sh", "-c", script], 0, &[]);
    run(&["task", "new", "Indent"], 0, &[]);
    let early = ["has not been at a gate yet", "hand its work in", "forge task review"];
    run(&["task", "approve", "T-1"], 1, &early);
    run(&["task", "reject", "T-1", "--reason", "no"], 1, &early);
    run(&["task", "review", "T-1", "--attempt", "7"], 2, &["`forge task review T-1` lists"]);
    run(&["task", "reject", "T-1"], 2, &["--reason"]);
    run(&["task", "approve", "T-9"], 3, &["T-9"]);

    run(&["task", "claim", "T-1", "--agent", "coder"], 0, &[]);
    let passed = |runs: usize| {
        wait_until(serving.url(), |task, count| {
            task.review_passed_at.is_some() && task.busy.is_none() && count == runs
        });
    };
    passed(1);
    run(&["task", "reject", "T-1", "--reason", "use tabs"], 0, &["T-1  in_progress", "use tabs"]);
    passed(2);
    run(&["task", "review", "T-1"], 0, &["attempt 1: ", "attempt 2: passed"]);
    run(&["task", "move", "T-1", "merging"], 0, &["done"]);
    assert_eq!(git(&repo, &["show", "main:tabs.txt"]), "use tabs\n");
    run(&["task", "reject", "T-1", "--reason", "too late"], 1, &["[task_terminal]"]);
}
