//! Where a task is worked on, and what was changed (W-16).

use std::path::PathBuf;

use http::Method;
use serde_json::{Value, json};

use super::board::{Board, WAITS, text};

async fn mine(board: &Board) -> (String, PathBuf) {
    let task = board.task(json!({ "title": "Mine" })).await;
    board.done(&format!("/tasks/{task}/claim"), json!({})).await;
    let workspace = board.read(&format!("/tasks/{task}/workspace")).await;
    (task, PathBuf::from(text(&workspace["path"])))
}

#[tokio::test]
async fn w_16_the_workspace_says_where_it_is_and_how_it_stands() {
    let board = Board::new().await;
    let (task, place) = mine(&board).await;
    std::fs::write(place.join("numbers.txt"), "one\nTWO\nthree\n").unwrap();
    std::fs::write(place.join("new.txt"), "new\n").unwrap();
    board.repository.write("other.txt", "moved on\n");
    board.repository.commit("meanwhile").await;
    let found = board.read(&format!("/tasks/{task}/workspace")).await;
    assert_eq!(found["branch"], "forge/1-mine");
    assert_eq!(found["dirty"], json!({ "staged": 0, "modified": 1, "untracked": 1 }));
    assert_eq!((&found["ahead"], &found["behind"]), (&json!(0), &json!(1)));
    assert_eq!((&found["status"], &found["last_error"]), (&json!("ready"), &Value::Null));
    assert_eq!(found["head"], found["base"]);
    board.move_to(&task, "review").await;
    let after = board.read(&format!("/tasks/{task}/workspace")).await;
    assert_eq!((&after["ahead"], &after["dirty"]["untracked"]), (&json!(1), &json!(0)));
}

#[tokio::test]
async fn w_16_a_diff_has_its_scope_and_form() {
    let board = Board::new().await;
    let (task, place) = mine(&board).await;
    std::fs::write(place.join("numbers.txt"), "one\nTWO\nthree\n").unwrap();
    board.move_to(&task, "review").await;
    std::fs::write(place.join("new.txt"), "new\n").unwrap();
    std::fs::write(place.join("image.bin"), [0_u8, 159, 1, 0]).unwrap();
    let path = format!("/tasks/{task}/diff");
    let files = async |query: &str| {
        let diff = board.read(&format!("{path}?{query}")).await;
        let files: Vec<_> =
            diff["files"].as_array().unwrap().iter().map(|file| text(&file["path"])).collect();
        (files.join(" "), diff)
    };
    let (names, all) = files("").await;
    assert_eq!(names, "image.bin new.txt numbers.txt");
    assert_eq!(
        (&all["scope"], &all["head"], &all["truncated"]),
        (&json!("all"), &Value::Null, &json!(false))
    );
    let binary = &all["files"][0];
    assert_eq!(
        (&binary["binary"], &binary["patch"], &binary["additions"]),
        (&json!(true), &Value::Null, &Value::Null)
    );
    assert_eq!(
        (&all["files"][1]["change"], &all["files"][1]["additions"]),
        (&json!("added"), &json!(1))
    );
    assert!(text(&all["files"][2]["patch"]).contains("-two\n+TWO\n"));
    let (names, branch) = files("scope=branch").await;
    assert_eq!(names, "numbers.txt");
    assert_eq!(branch["head"], board.read(&format!("/tasks/{task}/workspace")).await["head"]);
    assert_eq!(files("scope=uncommitted").await.0, "image.bin new.txt");

    let request = board.server.request(Method::GET, &format!("{path}?format=patch&scope=branch"));
    let patch = board.server.send(request, None::<String>).await;
    assert_eq!(patch.header("content-type"), "text/x-diff; charset=utf-8");
    assert!(patch.text.starts_with("diff --git a/numbers.txt b/numbers.txt\n"), "{}", patch.text);
    for query in ["scope=everything", "format=html", "scpoe=all"] {
        let (status, answer) = board.server.get(&format!("{path}?{query}")).await;
        assert_eq!((status, &answer["code"]), (400, &json!("invalid_query")), "{query}");
    }
}

#[tokio::test]
async fn w_16_no_workspace_is_said_and_a_damaged_one_shown() {
    let board = Board::new().await;
    let unclaimed = board.task(json!({ "title": "Unclaimed" })).await;
    for part in ["workspace", "diff"] {
        let (status, answer) = board.server.get(&format!("/tasks/{unclaimed}/{part}")).await;
        assert_eq!(
            (status, &answer["code"]),
            (409, &json!("workspace_missing")),
            "{part}: {answer}"
        );
    }
    let (task, place) = mine(&board).await;
    std::fs::rename(&place, place.with_extension("aside")).unwrap();
    let found = board.read(&format!("/tasks/{task}/workspace")).await;
    assert_eq!((&found["status"], &found["head"]), (&json!("corrupted"), &Value::Null));
    assert!(text(&found["last_error"]).contains("is gone"), "{found}");
    let (status, answer) = board.server.get(&format!("/tasks/{task}/diff")).await;
    assert_eq!((status, &answer["code"]), (409, &json!("workspace_corrupted")), "{answer}");
    std::fs::rename(place.with_extension("aside"), &place).unwrap();
    board.move_to(&task, "review").await;
    board.move_to(&task, "merging").await;
    let cleaned = board.read(&format!("/tasks/{task}/workspace")).await;
    assert_eq!((&cleaned["status"], &cleaned["dirty"]), (&json!("cleaned"), &Value::Null));
}

#[tokio::test]
async fn w_4_the_workspace_names_the_agent_that_works_in_it() {
    let board = Board::new().await;
    let agent = board.agent("coder", WAITS).await;
    let task = board.task(json!({ "title": "One" })).await;
    let claimed = board.claim(&task, &agent).await;
    let lock = board.read(&format!("/tasks/{task}/workspace")).await["lock"].clone();
    assert_eq!(lock["execution_id"], claimed["execution"]["id"]);
    let pid = lock["pid"].as_u64().expect("a pid");
    assert!(std::path::Path::new(&format!("/proc/{pid}")).exists());
}
