//! The prompts of agents (E-2).

use serde_json::json;

use super::board::{Board, WAITS, text};

#[tokio::test]
async fn e_2_the_preview_is_the_exact_prompt_of_the_agent() {
    let board = Board::new().await;
    let told = board.meeting("told");
    let script = format!("cat > \"$HOME/told.txt\"; {}; {WAITS}", told.announce());
    let agent = board.agent("coder", &script).await;
    let first = board.task(json!({ "title": "First" })).await;
    board.done(&format!("/tasks/{first}/cancel"), json!({})).await;
    let asked = json!({ "title": "One", "description": "Do ```it```." });
    let task = board.task(asked).await;
    board.claim(&task, &agent).await;
    told.announced().await;
    let seen = board.read(&format!("/tasks/{task}/prompt")).await;
    assert_eq!((&seen["role"], &seen["purpose"]), (&json!("coder"), &json!("work")));
    assert_eq!(seen["customised"], false);
    let told = std::fs::read_to_string(board.server.directory().join("told.txt")).expect("told");
    assert_eq!(seen["prompt"], json!(told));
    assert!(told.contains("````text\nDo ```it```.\n````"), "{told}");
    let judge = board.read(&format!("/tasks/{task}/prompt?role=reviewer")).await;
    assert_eq!(judge["purpose"], "judge");
    assert!(text(&judge["prompt"]).contains("\"verdict\""));
    let (status, refused) = board.server.get(&format!("/tasks/{task}/prompt?role=cook")).await;
    assert_eq!((status, &refused["code"]), (422, &json!("unknown_role")));
}

#[tokio::test]
async fn e_2_a_project_replaces_a_roles_template_and_mistakes_are_refused_when_saved() {
    let prompts = json!({ "coder": "Build {{title}} well.\n\n{{feedback}}" });
    let settings = json!({ "prompts": prompts });
    let board = Board::with(json!({ "name": "Board", "settings": settings })).await;
    let task = board.task(json!({ "title": "One" })).await;
    let seen = board.read(&format!("/tasks/{task}/prompt")).await;
    assert_eq!(seen["prompt"], "Build One well.\n");
    assert_eq!(seen["customised"], true);

    let path = format!("/projects/{}", board.project);
    let version = board.read(&path).await["version"].clone();
    let cases = [
        (json!({ "coder": "{{titel}}" }), "{{titel}} is not known"),
        (json!({ "cook": "{{title}}" }), "no role \"cook\""),
        (json!({ "coder": "See {{feedback}}" }), "line of its own"),
    ];
    for (prompts, problem) in cases {
        let asked = json!({ "version": version, "settings": { "prompts": prompts } });
        let (status, refused) = board.server.patch(&path, asked).await;
        assert_eq!((status, &refused["code"]), (422, &json!("invalid_field")), "{refused}");
        assert_eq!(refused["details"]["path"], "settings.prompts");
        assert!(text(&refused["message"]).contains(problem), "{refused}");
    }
    let asked = json!({ "name": "Other", "settings": { "prompts": { "coder": "{{nope}}" } } });
    board.refused("/projects", asked, 422, "invalid_field").await;
}

#[tokio::test]
async fn e_2_check_output_and_history_are_in_the_next_prompt() {
    let board = Board::new().await;
    let agent = board.agent("coder", "echo x > $FORGE_TASK_ID; echo the last words").await;
    let first = board.task(json!({ "title": "First" })).await;
    board.claim(&first, &agent).await;
    board.reached(&first, |task| task.review_passed_at.is_some()).await;
    let config = json!({ "ci_steps": ["echo boom; exit 3"] });
    let asked = json!({ "title": "Second", "dependencies": [first], "review_config": config });
    let task = board.task(asked).await;
    board.claim(&task, &agent).await;
    board.reached(&task, |task| task.annotation.is_some() && !task.is_settling()).await;
    let told = text(&board.read(&format!("/tasks/{task}/prompt")).await["prompt"]);
    assert!(told.contains("It exited with code 3.\n\n```text\nboom\n```"), "{told}");
    assert!(told.contains("### T-1 First\n\nIt is handed in. Its last words:"), "{told}");
    assert!(told.contains("the last words"), "{told}");
}
