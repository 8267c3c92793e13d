//! Branches that conflict with each other, over HTTP (M-14).

use forge_domain::workflow::TaskStanding;
use serde_json::{Value, json};

use super::board::{Board, text};

#[tokio::test]
async fn m_14_a_project_lists_its_live_branches_and_their_conflicts() {
    let board = Board::new().await;
    let path = format!("/projects/{}/conflicts", board.project);
    assert_eq!(board.read(&path).await, json!({ "branches": [], "conflicts": [] }));
    let mut tasks = Vec::new();
    for (title, file) in [("First", "numbers.txt"), ("Second", "numbers.txt"), ("Third", "new.txt")]
    {
        let agent = board.agent(title, &format!("echo {title} > {file}")).await;
        let task = board.task(json!({ "title": title })).await;
        board.claim(&task, &agent).await;
        let worked = board.reached(&task, |task| task.run.is_none() && task.workspace.is_some());
        assert!(matches!(worked.await.standing, TaskStanding::Open | TaskStanding::Submitted));
        board.quiet(&task).await;
        tasks.push(task);
    }
    let engine = board.server.engine();
    engine.radar().queue_all_branches().await.expect("lists");
    engine.radar().check_moved_branches().await.expect("looks");
    let found = board.read(&path).await;
    let keys = |list: &Value| -> Vec<String> {
        list.as_array().expect("a list").iter().map(|branch| text(&branch["key"])).collect()
    };
    assert_eq!(keys(&found["branches"]), ["T-1", "T-2", "T-3"], "{found}");
    assert_eq!(found["conflicts"].as_array().map(Vec::len), Some(1), "{found}");
    let clash = &found["conflicts"][0];
    assert_eq!(keys(&clash["branches"]), ["T-1", "T-2"]);
    assert_eq!(clash["files"], json!(["numbers.txt"]));
    assert_eq!(clash["branches"][0]["title"], "First");
    let branch = text(&clash["branches"][0]["branch"]);
    assert_eq!(
        text(&clash["branches"][0]["head"]),
        board.repository.git(&["rev-parse", &branch]).await
    );
    assert_eq!(
        (&clash["branches"][0]["target"], &clash["branches"][0]["target_conflict"]),
        (&json!("main"), &Value::Null)
    );

    // Issue 13.17: a conflict with the target is reported separately from the pairs.
    board.repository.write("new.txt", "the target's\n");
    board.repository.commit("the target moves").await;
    engine.radar().queue_all_branches().await.expect("lists");
    engine.radar().check_moved_branches().await.expect("looks");
    let found = board.read(&path).await;
    let files: Vec<&Value> = found["branches"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|branch| &branch["target_conflict"]["files"])
        .collect();
    assert_eq!(files, [&Value::Null, &Value::Null, &json!(["new.txt"])], "{found}");
    assert_eq!(found["conflicts"].as_array().map(Vec::len), Some(1), "{found}");
    let nowhere = board.server.get(&format!("/projects/{}/conflicts", uuid::Uuid::nil())).await;
    assert_eq!(nowhere.0, 404);
}
