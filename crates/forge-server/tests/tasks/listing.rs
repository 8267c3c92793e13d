//! Lists of tasks (T-2).

use serde_json::{Value, json};

use super::board::{Board, WAITS, text};

async fn titles(board: &Board, query: &str) -> Vec<String> {
    let path = format!("/projects/{}/tasks?{query}", board.project);
    board.items(&path).await.iter().map(|task| text(&task["title"])).collect()
}

#[tokio::test]
async fn t_2_paging_returns_every_task_once_in_every_order() {
    let board = Board::new().await;
    let mut made = Vec::new();
    for n in 0..23 {
        made.push(board.task(json!({ "title": format!("Task {n}"), "priority": n % 3 })).await);
    }
    made.sort();
    for sort in ["created", "updated", "priority"] {
        for order in ["asc", "desc"] {
            let (mut seen, mut cursor): (Vec<Value>, _) = (Vec::new(), String::new());
            loop {
                let path = format!(
                    "/projects/{}/tasks?sort={sort}&order={order}&limit=7{cursor}",
                    board.project
                );
                let page = board.read(&path).await;
                let items = page["items"].as_array().unwrap();
                assert!(items.len() <= 7);
                seen.extend(items.iter().cloned());
                match page["next_cursor"].as_str() {
                    Some(next) => cursor = format!("&cursor={next}"),
                    None => break,
                }
            }
            let mut ids: Vec<_> = seen.iter().map(|task| text(&task["id"])).collect();
            ids.sort();
            assert_eq!(ids, made, "{sort} {order}");
            let key = |task: &Value| match sort {
                "priority" => task["priority"].as_i64().unwrap(),
                _ => task["number"].as_i64().unwrap(),
            };
            let keys: Vec<_> = seen.iter().map(key).collect();
            let mut sorted = keys.clone();
            sorted.sort_unstable();
            if order == "desc" {
                sorted.reverse();
            }
            assert_eq!(keys, sorted, "{sort} {order}");
        }
    }
    assert_eq!(titles(&board, "").await[0], "Task 22", "the newest first unless told otherwise");
}

#[tokio::test]
async fn t_2_filters_return_only_matching_tasks() {
    let board = Board::new().await;
    let agent = board.agent("coder", WAITS).await;
    let held = json!({ "title": "Held", "roles": { "coder": { "agent_id": agent } } });
    board.task(held).await;
    let run = board.task(json!({ "title": "Run", "labels": ["red", "two words"] })).await;
    board
        .task(json!({ "title": "Wordy", "description": "the quick brown fox", "kind": "triage" }))
        .await;
    let gone = board.task(json!({ "title": "Gone", "labels": ["red"] })).await;
    board.claim(&run, &agent).await;
    let archived = board.done(&format!("/tasks/{gone}/archive"), json!({})).await;
    assert!(archived["archived_at"].is_string());
    let cases: [(&str, &[&str]); 11] = [
        ("order=asc", &["Held", "Run", "Wordy"]),
        ("order=asc&include_archived=true", &["Held", "Run", "Wordy", "Gone"]),
        ("status=in_progress", &["Run"]),
        ("status=merge_failed", &[]),
        ("phase=working", &["Run"]),
        ("label=red", &["Run"]),
        ("label=two%20words", &["Run"]),
        ("label=red&include_archived=true&order=asc", &["Run", "Gone"]),
        ("text=QUICK+fox", &["Wordy"]),
        ("kind=triage", &["Wordy"]),
        ("order=asc&agent=AGENT", &["Held", "Run"]),
    ];
    for (query, expected) in cases {
        let query = query.replace("AGENT", &agent);
        assert_eq!(titles(&board, &query).await, expected, "{query}");
    }
    let shown = board.done(&format!("/tasks/{gone}/unarchive"), json!({})).await;
    assert_eq!(shown["archived_at"], Value::Null);
    assert_eq!(titles(&board, "label=red").await, ["Gone", "Run"]);
}

#[tokio::test]
async fn s_5_the_counts_of_a_board_are_those_of_its_lists() {
    let board = Board::new().await;
    let path = format!("/projects/{}/task-counts", board.project);
    let empty = json!({ "backlog": 0, "ready": 0, "working": 0, "review": 0, "done": 0 });
    assert_eq!(board.read(&path).await, json!({ "phases": empty, "states": {} }));
    let agent = board.agent("bot", WAITS).await;
    let run = board.task(json!({ "title": "Run" })).await;
    for title in ["One", "Two"] {
        board.task(json!({ "title": title })).await;
    }
    let gone = board.task(json!({ "title": "Gone" })).await;
    board.done(&format!("/tasks/{gone}/archive"), json!({})).await;
    board.claim(&run, &agent).await;
    let counts = board.read(&path).await;
    assert_eq!(counts["phases"]["backlog"], 2, "{counts}");
    assert_eq!(counts["phases"]["working"], 1, "{counts}");
    assert_eq!(counts["states"], json!({ "backlog": 2, "in_progress": 1 }));
}

#[tokio::test]
async fn t_2_a_task_is_found_by_its_number() {
    let board = Board::new().await;
    let task = board.task(json!({ "title": "One" })).await;
    let path = format!("/projects/{}/tasks/by-number", board.project);
    assert_eq!(board.read(&format!("{path}/1")).await["id"], json!(task));
    for wrong in ["2", "0", "-1", "T-1", "99999999999999999999"] {
        let (status, answer) = board.server.get(&format!("{path}/{wrong}")).await;
        assert_eq!((status, &answer["code"]), (404, &json!("not_found")), "{wrong}: {answer}");
    }
}

#[tokio::test]
async fn t_2_invalid_list_parameters_are_named() {
    let board = Board::new().await;
    for _ in 0..2 {
        board.task(json!({ "title": "One" })).await;
    }
    let path = format!("/projects/{}/tasks", board.project);
    let next = text(&board.read(&format!("{path}?limit=1")).await["next_cursor"]);
    let cases = [
        ("limit=0".to_owned(), "limit"),
        ("limit=201".to_owned(), "limit"),
        ("limit=x".to_owned(), "limit"),
        ("cursor=nonsense".to_owned(), "cursor"),
        (format!("sort=priority&cursor={next}"), "cursor"),
        ("phase=lunch".to_owned(), "phase"),
        ("agent=me".to_owned(), "agent"),
        ("kind=-x".to_owned(), "kind"),
        ("label=%00".to_owned(), "label"),
        ("sort=title".to_owned(), "sort"),
        ("stauts=todo".to_owned(), "stauts"),
    ];
    for (query, parameter) in cases {
        let (status, answer) = board.server.get(&format!("{path}?{query}")).await;
        assert_eq!((status, &answer["code"]), (400, &json!("invalid_query")), "{query}: {answer}");
        assert_eq!(answer["details"]["parameter"], parameter, "{query}: {answer}");
    }
    let bad = board.server.get(&format!("{path}?text=%ff")).await;
    assert_eq!((bad.0, &bad.1["code"]), (400, &json!("invalid_query")));
}
