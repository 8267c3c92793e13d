//! The seed's calls on tasks, in its order and with its bodies.

use serde_json::{Value, json};

use super::board::{Board, WAITS, text};

/// M-2: the answer to the gate has the attempt; M-6: the answer to the merge has its result.
#[tokio::test]
async fn seed_001_the_calls_work_as_written() {
    let board = Board::new().await;
    let edited = board.meeting("edited");
    let script = format!("echo limited > limit.txt; {}; {WAITS}", edited.announce());
    let agent = board.agent("coder", &script).await;

    let path = format!("/projects/{}/tasks", board.project);
    let created = board
        .created(
            &path,
            json!({
                "title": "Add rate limiting",
                "description": "Add per-IP rate limiting to POST /api/v1/auth/login.",
                "review_config": { "ci_steps": ["grep -q limited limit.txt"] }
            }),
        )
        .await;
    let task = text(&created["id"]);
    assert_eq!(created["status"], "backlog");
    assert_eq!((&created["version"], &created["key"]), (&json!(1), &json!("T-1")));

    // T-3: the workspace exists when the answer arrives.
    let claim = json!({ "agent_id": agent, "overrides": null });
    let claimed = board.done(&format!("/tasks/{task}/claim"), claim).await;
    assert_eq!(claimed["task"]["status"], "in_progress");
    assert_eq!(claimed["task"]["version"], 2);
    assert_eq!(claimed["execution"]["agent_id"], json!(agent));
    assert_eq!(claimed["execution"]["role"], "coder");
    let workspace = board.read(&format!("/tasks/{task}/workspace")).await;
    let worktree = std::path::PathBuf::from(text(&workspace["path"]));
    assert!(worktree.join("numbers.txt").exists());

    // T-9: the agent is still running when a person moves the task into the gate.
    edited.announced().await;
    let path = format!("/tasks/{task}/transition");
    let reviewed = board.done(&path, json!({ "status": "review", "version": 2 })).await;
    assert_eq!(reviewed["task"]["id"], json!(task));
    assert_eq!(reviewed["task"]["status"], "review");
    let review = &reviewed["review"];
    assert_eq!(review["status"], "passed");
    assert_eq!(review["attempt_number"], 1);
    assert_eq!(review["step_results"][0]["exit_code"], 0);
    let run = &board.items(&format!("/tasks/{task}/executions")).await[0];
    assert_eq!((&run["status"], &run["outcome"]), (&json!("finished"), &json!("stopped")));

    // T-9: the answer to the merge is the task after it.
    let version = reviewed["task"]["version"].clone();
    let merged = board.done(&path, json!({ "status": "merging", "version": version })).await;
    assert_eq!(merged["id"], json!(task), "the task itself, at the top level");
    assert_eq!(merged["status"], "done");
    assert_eq!(merged["error_annotation"], Value::Null);
    assert_eq!(board.repository.git(&["show", "main:limit.txt"]).await, "limited");
    assert_eq!(board.repository.subjects("main").await[0], "Add rate limiting (T-1)");
    assert!(!worktree.exists(), "the worktree is gone with the answer");

    // T-14: assign a role.
    let second = board.task(json!({ "title": "Second" })).await;
    let other = board.agent("other", WAITS).await;
    board.claim(&second, &other).await;
    let path = format!("/tasks/{second}/roles/coder");
    let given = board.done(&path, json!({ "agent_id": agent, "reset_worktree": true })).await;
    assert_eq!(given["status"], "todo");
    assert_eq!(given["roles"]["coder"]["agent_id"], json!(agent));

    // T-10: read the history.
    let history = board.items(&format!("/tasks/{task}/transitions")).await;
    let moves: Vec<_> = history
        .iter()
        .map(|entry| (text(&entry["from_state"]), text(&entry["to_state"])))
        .collect();
    let expected = [
        ("backlog", "todo"),
        ("todo", "planning"),
        ("planning", "in_progress"),
        ("in_progress", "review"),
        ("review", "merging"),
        ("merging", "done"),
    ];
    assert_eq!(moves, expected.map(|(from, to)| (from.to_owned(), to.to_owned())));
    for entry in &history {
        assert_eq!(entry["rejection"], false);
        assert!(entry["at"].as_str().is_some_and(|at| at.ends_with('Z')), "{entry}");
        assert!(entry.get("trigger_reason").is_some(), "{entry}");
    }
    assert_eq!(history[3]["triggered_by"]["kind"], "user");
    assert_eq!(history[5]["triggered_by"], json!({ "kind": "system", "component": "land" }));

    // Add and remove dependencies.
    let path = format!("/tasks/{second}/dependencies");
    board.created(&path, json!({ "depends_on_id": task })).await;
    let waits = board.items(&path).await;
    assert_eq!(waits[0]["depends_on_id"], json!(task));
    assert_eq!((&waits[0]["status"], &waits[0]["satisfied"]), (&json!("done"), &json!(true)));
    let (status, _) = board.server.delete(&format!("{path}/{task}")).await;
    assert_eq!(status, 204);
    assert!(board.items(&path).await.is_empty());
}

/// M-2, M-4: every entry is a new attempt; a rejection records its reason.
#[tokio::test]
async fn t_9_a_failed_check_sends_the_task_back_and_the_history_says_so() {
    let board = Board::new().await;
    let agent = board.agent("coder", WAITS).await;
    let asked =
        json!({ "title": "Red", "review_config": { "ci_steps": ["true", "echo why; exit 3"] } });
    let task = board.task(asked).await;
    board.claim(&task, &agent).await;
    let answer = board.move_to(&task, "review").await;
    assert_eq!(answer["review"]["status"], "failed");
    assert_eq!(answer["review"]["step_results"][1]["exit_code"], 3);
    assert_eq!(answer["review"]["step_results"][1]["output_tail"], "why\n");
    assert_eq!(answer["task"]["status"], "in_progress");
    let history = board.items(&format!("/tasks/{task}/transitions")).await;
    let back = history.last().expect("a history");
    assert_eq!(back["rejection"], true);
    assert!(text(&back["trigger_reason"]).contains("exited with code 3"), "{back}");
    let second = board.move_to(&task, "review").await;
    assert_eq!(second["review"]["attempt_number"], 2, "M-2: each entry is a new attempt");
    let attempts = board.items(&format!("/tasks/{task}/reviews")).await;
    assert_eq!(attempts.len(), 2, "old attempts stay");
    let first = board.read(&format!("/reviews/{}", text(&attempts[0]["id"]))).await;
    assert_eq!(first["attempt_number"], 1);
}

#[tokio::test]
async fn t_3_a_claim_without_an_agent_is_the_callers_and_starts_no_process() {
    let board = Board::new().await;
    let me = board.read("/auth/me").await;
    let task = board.task(json!({ "title": "Mine" })).await;
    let claimed = board.done(&format!("/tasks/{task}/claim"), json!({})).await;
    assert_eq!(claimed["execution"]["user_id"], me["user"]["id"]);
    assert_eq!(claimed["execution"]["agent_id"], Value::Null);
    assert_eq!(claimed["execution"]["status"], "running");
    assert_eq!(claimed["task"]["busy"], Value::Null);
    let workspace = board.read(&format!("/tasks/{task}/workspace")).await;
    assert_eq!(workspace["lock"], Value::Null);
    std::fs::write(std::path::Path::new(&text(&workspace["path"])).join("mine.txt"), "by hand\n")
        .unwrap();
    let reviewed = board.move_to(&task, "review").await;
    assert_eq!(reviewed["review"]["status"], "passed", "no checks pass");
    assert_eq!(board.move_to(&task, "merging").await["status"], "done");
    assert_eq!(board.repository.git(&["show", "main:mine.txt"]).await, "by hand");
}

#[tokio::test]
async fn t_12_cancel_answers_when_the_process_tree_is_gone() {
    let board = Board::new().await;
    let up = board.meeting("up");
    let script = format!("echo $$ > pid; (trap '' TERM; {}; {WAITS}) & wait", up.announce());
    let agent = board.agent("stubborn", &script).await;
    let task = board.task(json!({ "title": "Long" })).await;
    let claimed = board.claim(&task, &agent).await;
    up.announced().await;
    let execution = text(&claimed["execution"]["id"]);
    assert!(!marked(&execution).is_empty());
    let cancelled =
        board.done(&format!("/tasks/{task}/cancel"), json!({ "reason": "changed my mind" })).await;
    assert_eq!(cancelled["status"], "cancelled");
    assert_eq!(cancelled["busy"], Value::Null);
    assert!(marked(&execution).is_empty(), "nothing of it lives when the answer is given");
    let history = board.items(&format!("/tasks/{task}/transitions")).await;
    assert_eq!(history.last().unwrap()["trigger_reason"], "changed my mind");
    board.refused(&format!("/tasks/{task}/cancel"), json!({}), 409, "task_terminal").await;
}

/// Live processes with the execution's tag.
fn marked(execution: &str) -> Vec<String> {
    let wanted = format!("FORGE_MARK={execution}");
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let carries = |pid: &String| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|entry| entry == wanted.as_bytes())
    };
    processes
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(carries)
        .collect()
}
