//! A planner that works with `forge` alone (S-6, E-3): it creates subtasks, starts, watches and steers them.

use serde_json::Value;

use crate::walk::{git, start_server, wait_until, wait_until_task};

#[test]
fn s_6_a_planner_creates_starts_watches_and_steers_three_subtasks_and_touches_no_other_task() {
    let (serving, user, repo) = start_server();
    let run = |arguments: &[&str]| user.succeed_in(&repo, arguments);
    run(&["init"]);
    let forge = assert_cmd::cargo::cargo_bin!("forge").display().to_string();
    let pipe = serving.home().join("up");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::from_raw_mode(0o600))
        .expect("a pipe");
    // The worker of the third subtask waits until the planner has steered it.
    let worker = "cat > \"prompt-$FORGE_TASK_ID\"
        if grep -q 'use spaces' \"prompt-$FORGE_TASK_ID\"; then echo spaces > spaces.txt; fi
        if grep -q '^# T-5' \"prompt-$FORGE_TASK_ID\" && [ ! -e spaces.txt ]; then cat \"$HOME/up\"; fi";
    run(&["agent", "add", "worker", "--max-concurrent", "5", "--", "sh", "-ec", worker]);
    let planner = format!(
        "cat > /dev/null
         {{ for title in First Second Third; do {forge} task new \"$title\" --onto-parent; done
           for key in T-3 T-4 T-5; do {forge} task claim $key --agent worker; done
           {forge} agent check; {forge} task show T-1; {forge} task pulse T-5
           {forge} task steer T-5 'use spaces'; echo go > \"$HOME/up\"
           for key in T-3 T-4 T-5; do {forge} task log $key -f > /dev/null; done
           {forge} task stop T-3 || echo \"stop $?\"; {forge} why T-3
           {forge} task cancel T-3 || echo \"cancel $?\"
           {forge} task assign T-3 coder --agent worker || echo \"assign $?\"
           {forge} task show $OTHER || echo \"other $?\"
           {forge} task comment $OTHER 'let me in' || echo \"other $?\"
           {forge} task show T-2 || echo \"number $?\"
           {forge} task new 'Elsewhere' --parent $OTHER || echo \"parent $?\"
           {forge} task stop T-1 || echo \"own $?\"
         }} > \"$HOME/said\" 2>&1
         echo 'The three parts are under way.'"
    );
    run(&["task", "new", "Whole"]);
    let other: Value =
        serde_json::from_str(&run(&["task", "new", "Other", "--json"])).expect("one document");
    let other = other["id"].as_str().expect("an identifier");
    let variable = format!("OTHER={other}");
    run(&["agent", "add", "planner", "--env", &variable, "--", "sh", "-ec", &planner]);
    run(&["task", "assign", "T-1", "planner", "--agent", "planner"]);
    run(&["task", "claim", "T-1", "--agent", "worker"]);
    let whole = wait_until(serving.url(), |task, runs| runs == 2 && task.busy.is_none());
    let said = std::fs::read_to_string(serving.home().join("said")).expect("what it saw");
    assert_eq!(whole.error_annotation.map(|trouble| trouble.message), None, "{said}");
    assert_eq!(whole.plan.as_deref(), Some("The three parts are under way."), "{said}");
    for words in [
        "T-3  backlog  First",
        "T-5  in_progress  claimed for worker",
        "Queued: the agent gets the message after its current execution",
        "stop 1",
        "cancel 4",
        "assign 4",
        "number 4",
        "parent 4",
        "own 4",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert_eq!(said.matches("other 3").count(), 2, "another task does not exist for it: {said}");
    assert!(!said.contains("Other"), "{said}");
    let tasks: Value = serde_json::from_str(&run(&["task", "list", "--json"])).expect("a document");
    let titles = tasks["items"].as_array().map(Vec::len);
    assert_eq!(titles, Some(5), "three subtasks beside the two tasks: {tasks}");
    wait_until_task(serving.url(), 5, |task, _| task.review_passed_at.is_some());
    let third: Value =
        serde_json::from_str(&run(&["workspace", "show", "T-5", "--json"])).expect("a document");
    let place = std::path::Path::new(third["path"].as_str().expect("a path"));
    assert_eq!(git(place, &["show", "HEAD:spaces.txt"]), "spaces\n", "the message reached it");
    for key in ["T-1", "T-2", "T-3", "T-4", "T-5"] {
        run(&["task", "cancel", key]);
    }
    assert_eq!(serving.stop(), Some(0));
}
