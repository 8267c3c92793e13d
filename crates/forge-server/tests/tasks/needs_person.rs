//! Tasks that wait for a person, over HTTP (T-28, issue 13.19 and 13.22).

use serde_json::{Value, json};

use super::board::{Board, WAITS, text};
use super::support::TestUser;

fn summary(items: &[Value]) -> Vec<(String, String)> {
    items.iter().map(|item| (text(&item["key"]), text(&item["reason"]))).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(key, reason)| ((*key).to_owned(), (*reason).to_owned())).collect()
}

#[tokio::test]
async fn issue_13_19_tasks_that_need_a_person_are_one_list_with_reason_age_and_command() {
    let board = Board::new().await;
    let coder = board.agent("coder", "echo x > \"$FORGE_TASK_ID\"").await;
    let passed = board.task(json!({ "title": "Passed" })).await;
    board.claim(&passed, &coder).await;
    board.reached(&passed, |task| task.review_passed_at.is_some()).await;
    let bad = board.agent("bad", "exit 3").await;
    let failed = board.task(json!({ "title": "Failed" })).await;
    board.claim(&failed, &bad).await;
    board.reached(&failed, |task| task.annotation.is_some() && !task.is_settling()).await;
    let slow = board.agent("slow", WAITS).await;
    let running = board.task(json!({ "title": "Running" })).await;
    board.claim(&running, &slow).await;
    board.task(json!({ "title": "Only in the backlog" })).await;

    let items = board.items("/needs-person").await;
    assert_eq!(summary(&items), pairs(&[("T-1", "review_passed"), ("T-2", "execution_failed")]));
    let first = &items[0];
    assert_eq!(first["next"][0]["command"], "forge task move T-1 merging -p board");
    assert_eq!((&first["project_name"], &first["status"]), (&json!("Board"), &json!("review")));
    assert!(first["age_seconds"].is_u64() && first["since"].is_string(), "{first}");
    assert!(text(&items[1]["message"]).contains("code 3"), "{items:?}");
    let page = board.read("/needs-person?limit=1").await;
    let next = format!("/needs-person?limit=1&cursor={}", text(&page["next_cursor"]));
    assert_eq!(summary(&board.items(&next).await), pairs(&[("T-2", "execution_failed")]));

    let why = board.read(&format!("/tasks/{passed}/why")).await;
    assert_eq!((&why["waits_for"], &why["since"]), (&json!("person"), &first["since"]), "{why}");
    assert_eq!(why["message"], first["message"], "both say the same");
    assert_eq!(why["next"][0]["command"], "forge task move T-1 merging");
    let why = board.read(&format!("/tasks/{running}/why")).await;
    assert_eq!((&why["waits_for"], &why["person_reason"]), (&json!("execution"), &Value::Null));

    // A user's uncommitted file is in the way of the landing.
    board.repository.write(&passed, "mine\n");
    let answer = board.move_to(&passed, "merging").await;
    assert_eq!(answer["error_annotation"]["type"], "target_checkout_dirty", "{answer}");
    let items = board.items("/needs-person").await;
    let dirty = items.iter().find(|item| item["key"] == "T-1").expect("it waits");
    assert_eq!(dirty["reason"], "target_checkout_dirty", "{dirty}");
    assert_eq!(dirty["files"], json!([passed]), "{dirty}");
    assert!(text(&dirty["next"][0]["command"]).starts_with("git -C "), "{dirty}");
    let check = board.read("/agents/check").await;
    assert_eq!(check["waiting"][0]["key"], "T-1", "{check}");

    board.done(&format!("/tasks/{failed}/cancel"), json!({})).await;
    board.done(&format!("/tasks/{passed}/cancel"), json!({})).await;
    assert!(board.items("/needs-person").await.is_empty(), "what has ended waits for no person");
}

#[tokio::test]
async fn issue_13_19_the_list_contains_only_the_callers_projects() {
    let board = Board::new().await;
    let task = board.task(json!({ "title": "Parked" })).await;
    board.move_to(&task, "blocked").await;
    let mia = TestUser::new(&board.server, "mia").await;
    assert_eq!(mia.get("/needs-person").await.json()["items"], json!([]));
    let named = format!("/needs-person?project={}", board.project);
    mia.get(&named).await.failed_with(404, "not_found");
    mia.join(&board.project).await;
    let items = mia.get(&named).await.json()["items"].clone();
    assert_eq!(summary(items.as_array().unwrap()), pairs(&[("T-1", "parked")]));
    board.done(&format!("/tasks/{task}/archive"), json!({})).await;
    assert!(board.items("/needs-person").await.is_empty());
}

#[tokio::test]
async fn issue_13_19_the_default_reviewer_reviews_all_tasks_of_a_project() {
    let board = Board::new().await;
    let coder = board.agent("coder", "echo x > \"$FORGE_TASK_ID\"").await;
    let before = board.task(json!({ "title": "Made before" })).await;
    let rex = board.agent("rex", "echo '{\"verdict\":\"pass\",\"feedback\":\"fine\"}'").await;
    let path = format!("/projects/{}", board.project);
    let project = board.read(&path).await;
    let mut settings = project["settings"].clone();
    settings["default_reviewer"] = json!({ "agent_id": rex });
    let asked = json!({ "version": project["version"], "settings": settings });
    let (status, changed) = board.server.patch(&path, asked).await;
    assert_eq!(status, 200, "{changed}");
    assert_eq!(changed["settings"]["default_reviewer"]["agent_id"], json!(rex));
    let after = board.task(json!({ "title": "Made after" })).await;
    for task in [&before, &after] {
        board.claim(task, &coder).await;
        board.reached(task, |task| task.review_passed_at.is_some()).await;
        let shown = board.show(task).await;
        assert_eq!(shown["roles"]["reviewer"]["agent_id"], json!(rex), "{shown}");
        let review = &board.items(&format!("/tasks/{task}/reviews")).await[0];
        assert_eq!(review["feedback"], "fine", "{review}");
    }
    let mut settings = changed["settings"].clone();
    settings["default_reviewer"] = json!({ "agent_id": before });
    let asked = json!({ "version": changed["version"], "settings": settings });
    let (status, refused) = board.server.patch(&path, asked).await;
    assert_eq!((status, &refused["code"]), (404, &json!("not_found")), "{refused}");
}

#[tokio::test]
async fn issue_13_22_a_missing_program_is_refused_at_once() {
    let board = Board::new().await;
    let asked = |command: Value| json!({ "name": "ghost", "executor": { "kind": "shell", "command": command } });
    let missing = asked(json!(["forge-no-such-program", "--flag"]));
    let details = board.refused("/agents", missing, 409, "program_missing").await;
    assert_eq!(details["program"], "forge-no-such-program");
    let gone = board.server.directory().join("agent");
    std::fs::write(&gone, "#!/bin/sh\necho x > x.txt\n").unwrap();
    let path = gone.display().to_string();
    board.refused("/agents", asked(json!([path])), 409, "program_missing").await;
    let runs = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&gone, runs).unwrap();
    let ghost = text(&board.created("/agents", asked(json!([path]))).await["id"]);
    let relative =
        json!({ "name": "own", "executor": { "kind": "shell", "command": ["./agent.sh"] } });
    board.created("/agents", relative).await;

    std::fs::remove_file(&gone).unwrap();
    let task = board.task(json!({ "title": "One" })).await;
    let claim = format!("/tasks/{task}/claim");
    let asked = json!({ "agent_id": ghost });
    let details = board.refused(&claim, asked, 409, "program_missing").await;
    assert_eq!(details["program"], json!(path));
    let shown = board.show(&task).await;
    assert_eq!((&shown["status"], &shown["version"]), (&json!("backlog"), &json!(1)), "{shown}");

    // The scheduler skips such an agent instead of failing the backlog, and says why.
    let own = &board.items("/agents").await.into_iter().find(|agent| agent["name"] == "own");
    let own = text(&own.as_ref().unwrap()["id"]);
    board.done(&format!("/agents/{own}/pause"), json!({})).await;
    board.move_to(&task, "todo").await;
    let project = board.read(&format!("/projects/{}", board.project)).await;
    let mut settings = project["settings"].clone();
    settings["dispatch"]["enabled"] = json!(true);
    let asked = json!({ "version": project["version"], "settings": settings });
    board.server.patch(&format!("/projects/{}", board.project), asked).await;
    board.server.engine().dispatch().assign_tasks().await.unwrap();
    let why = board.read(&format!("/tasks/{task}/why")).await;
    assert_eq!(why["reasons"][0]["code"], "program_missing", "{why}");
    assert_eq!(board.show(&task).await["error_annotation"], Value::Null);
}

#[tokio::test]
async fn issue_13_22_approve_is_not_offered_for_work_that_was_reset() {
    let board = Board::new().await;
    let coder = board.agent("coder", "echo x > x.txt").await;
    let task = board.task(json!({ "title": "Reset" })).await;
    board.claim(&task, &coder).await;
    board.reached(&task, |task| task.review_passed_at.is_some()).await;
    board.quiet(&task).await;
    board.done(&format!("/tasks/{task}/workspace/reset"), json!({})).await;
    let actions = board.items(&format!("/tasks/{task}/actions")).await;
    assert!(actions.iter().all(|action| action["name"] != "approve"), "{actions:?}");
    let path = format!("/tasks/{task}/reviews/1/approve");
    board.refused(&path, json!({ "reason": "please" }), 409, "review_over").await;
}

#[tokio::test]
async fn issue_13_22_an_unknown_state_is_not_a_filter() {
    let board = Board::new().await;
    board.task(json!({ "title": "One" })).await;
    let path = format!("/projects/{}/tasks?status=banana", board.project);
    let (status, refused) = board.server.get(&path).await;
    assert_eq!((status, &refused["code"]), (400, &json!("invalid_query")), "{refused}");
    assert_eq!(refused["details"]["allowed"][0], "backlog", "{refused}");
    let path = format!("/projects/{}/tasks?status=merging", board.project);
    assert!(board.items(&path).await.is_empty(), "an empty column is an answer");
}
