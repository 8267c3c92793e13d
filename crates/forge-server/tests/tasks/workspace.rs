//! Workspaces and diffs over HTTP (W-16).

use std::path::PathBuf;

use http::Method;
use http_body_util::Full;
use serde_json::{Value, json};

use super::board::{Board, WAITS, text};
use super::support::EventReader;

async fn mine(board: &Board) -> (String, PathBuf) {
    let task = board.task(json!({ "title": "Mine" })).await;
    board.done(&format!("/tasks/{task}/claim"), json!({})).await;
    let workspace = board.read(&format!("/tasks/{task}/workspace")).await;
    (task, PathBuf::from(text(&workspace["path"])))
}

async fn followed(board: &Board, task: &str) -> EventReader {
    let request = board.server.request(Method::GET, &format!("/tasks/{task}/diff/stream"));
    let response = board.server.open(request.body(Full::default()).expect("a request")).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    EventReader::new(response.into_body())
}

#[tokio::test]
async fn w_16_the_workspace_has_its_path_and_state() {
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
async fn w_16_a_diff_has_its_scope_and_format() {
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
async fn w_16_a_missing_workspace_is_refused_and_a_damaged_one_shown() {
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

#[tokio::test]
async fn w_4_the_lock_is_real_and_released_when_the_execution_ends() {
    let board = Board::new().await;
    let (task, _) = mine(&board).await;
    let found = board.read(&format!("/tasks/{task}/workspace")).await;
    assert_eq!(found["lock"], Value::Null, "a person's claim keeps no lock");
    let agent = board.agent("coder", WAITS).await;
    let other = board.task(json!({ "title": "Two" })).await;
    let claimed = board.claim(&other, &agent).await;
    let lock = board.read(&format!("/tasks/{other}/workspace")).await["lock"].clone();
    assert_eq!(lock["holder"], claimed["execution"]["id"]);
    assert_eq!(lock["pid"], json!(std::process::id()), "Forge holds it for the agent");
    assert!(text(&lock["since"]).ends_with('Z'), "{lock}");
}

#[tokio::test]
async fn w_16_all_workspaces_are_listed_page_by_page() {
    let board = Board::new().await;
    let mut paths = Vec::new();
    for _ in 0..3 {
        paths.push(mine(&board).await.1.to_string_lossy().into_owned());
    }
    paths.sort();
    std::fs::write(PathBuf::from(&paths[1]).join("new.txt"), "new\n").unwrap();
    let (mut seen, mut query) = (Vec::new(), "limit=2".to_owned());
    loop {
        let page = board.read(&format!("/workspaces?{query}")).await;
        seen.extend(page["items"].as_array().unwrap().clone());
        match page["next_cursor"].as_str() {
            Some(cursor) => query = format!("limit=2&cursor={cursor}"),
            None => break,
        }
    }
    let found: Vec<_> = seen.iter().map(|item| text(&item["path"])).collect();
    assert_eq!(found, paths);
    assert_eq!(seen[1]["dirty"]["untracked"], 1);
    assert_eq!((&seen[0]["title"], &seen[0]["status"]), (&json!("Mine"), &json!("ready")));
    // A damaged workspace does not break the list.
    std::fs::rename(&paths[0], format!("{}.aside", paths[0])).unwrap();
    let page = board.read("/workspaces").await;
    assert_eq!(page["items"][0]["status"], "corrupted");
    assert_eq!(page["items"][2]["status"], "ready");
    let (status, answer) = board.server.get("/workspaces?cursor=x").await;
    assert_eq!((status, &answer["code"]), (400, &json!("invalid_query")));
}

#[tokio::test]
async fn w_16_a_written_file_is_in_the_stream() {
    let board = Board::new().await;
    let (task, place) = mine(&board).await;
    let mut events = followed(&board, &task).await;
    let first = events.next().await.expect("the state now");
    assert_eq!((first.kind.as_str(), &first.data["files"]), ("diff", &json!([])));
    assert_eq!((&first.data["live"], &first.data["source"]), (&json!(true), &json!("workspace")));
    for (name, lines) in [("numbers.txt", 1), ("deep/new.txt", 2), ("deep/new.txt", 3)] {
        std::fs::create_dir_all(place.join("deep")).unwrap();
        std::fs::write(place.join(name), "line\n".repeat(lines)).unwrap();
        let told = |data: &Value| {
            let files = data["files"].as_array().unwrap();
            files.iter().any(|file| file["path"] == name && file["additions"] == lines)
        };
        events.until(|event| told(&event.data)).await;
    }
    std::fs::write(place.join("numbers.txt"), "LINE\n").unwrap();
    let news = events.next().await.expect("another content, the same counts");
    assert_eq!(news.data["files"][1]["path"], "numbers.txt");
    std::fs::write(place.join("numbers.txt"), "one\ntwo\nthree\n").unwrap();
    events.until(|event| event.data["files"].as_array().unwrap().len() == 1).await;
    board.move_to(&task, "review").await;
    board.move_to(&task, "merging").await;
    events.until(|event| event.kind == "end").await;
    assert_eq!(events.next().await, None, "and then the stream is over");
}

#[tokio::test]
async fn w_16_after_landing_the_diff_says_what_landed() {
    let board = Board::new().await;
    let (task, place) = mine(&board).await;
    std::fs::write(place.join("numbers.txt"), "one\nTWO\nthree\n").unwrap();
    board.repository.write("other.txt", "meanwhile\n");
    board.repository.commit("meanwhile").await;
    board.move_to(&task, "review").await;
    board.move_to(&task, "merging").await;
    let landed = board.read(&format!("/tasks/{task}/diff")).await;
    assert_eq!((&landed["source"], &landed["scope"]), (&json!("landed"), &json!("all")));
    assert_eq!(landed["files"].as_array().unwrap().len(), 1, "not what others landed: {landed}");
    assert!(text(&landed["files"][0]["patch"]).contains("-two\n+TWO\n"));
    assert_eq!(landed["head"], board.repository.git(&["rev-parse", "main"]).await.trim());
    let none = board.read(&format!("/tasks/{task}/diff?scope=uncommitted")).await;
    assert_eq!(none["files"], json!([]));
    let mut events = followed(&board, &task).await;
    let told = events.next().await.expect("what landed");
    assert_eq!((&told.data["source"], &told.data["live"]), (&json!("landed"), &json!(false)));
    assert_eq!(events.next().await.expect("the end").kind, "end");
}

#[tokio::test]
async fn w_16_without_a_workspace_there_is_no_stream() {
    let board = Board::new().await;
    let task = board.task(json!({ "title": "Unclaimed" })).await;
    let (status, answer) = board.server.get(&format!("/tasks/{task}/diff/stream")).await;
    assert_eq!((status, &answer["code"]), (409, &json!("workspace_missing")));
}

/// A refused claim leaves no directory, and the next claim gets a whole worktree.
#[tokio::test]
async fn w_15_a_refused_claim_leaves_no_files() {
    let board = Board::new().await;
    let task = board.task(json!({ "title": "Mine" })).await;
    let path = format!("/tasks/{task}/claim");
    let nobody = json!({ "agent_id": "01890000-0000-7000-8000-000000000000" });
    let workspaces = board.server.directory().join("data/workspaces");
    for _ in 0..20 {
        board.refused(&path, nobody.clone(), 404, "not_found").await;
    }
    let names = std::fs::read_dir(&workspaces).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = names.filter(|name| !name.to_string_lossy().starts_with('.')).collect();
    assert!(left.is_empty(), "{left:?}");
    board.done(&path, json!({})).await;
    let workspace = board.read(&format!("/tasks/{task}/workspace")).await;
    assert_eq!(workspace["dirty"], json!({ "staged": 0, "modified": 0, "untracked": 0 }));
    let place = PathBuf::from(text(&workspace["path"]));
    assert_eq!(std::fs::read_to_string(place.join("numbers.txt")).unwrap(), "one\ntwo\nthree\n");
}
