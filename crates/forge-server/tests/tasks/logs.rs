//! The output of executions and checks (E-5, M-2).

use serde_json::{Value, json};

use super::board::{Board, text};
use super::support::EventReader;

#[tokio::test]
async fn e_5_an_execution_log_is_read_while_it_grows_and_to_its_end() {
    let board = Board::new().await;
    let (said, go) = (board.meeting("said"), board.meeting("go"));
    let script = format!(
        "echo x > work.txt; echo 'first ←'; echo error >&2; {}; {}; echo last",
        said.announce(),
        go.wait()
    );
    let agent = board.agent("coder", &script).await;
    let asked = json!({ "title": "One", "review_config": { "ci_steps": ["echo checked"] } });
    let task = board.task(asked).await;
    let claimed = board.claim(&task, &agent).await;
    let execution = text(&claimed["execution"]["id"]);
    said.announced().await;
    let path = format!("/executions/{execution}/log/raw");
    let part = board.read(&path).await;
    assert_eq!(part["end"], false, "it still runs");
    go.go_on().await;
    board.reached(&task, |task| task.review_passed_at.is_some()).await;
    let whole = board.read(&path).await;
    assert_eq!((&whole["text"], &whole["end"]), (&json!("first ←\nerror\nlast\n"), &json!(true)));
    let rest = board.read(&format!("{path}?from={}", whole["next"])).await;
    assert_eq!((&rest["text"], &rest["end"]), (&json!(""), &json!(true)));
    // Pages end between characters: the arrow has three bytes and starts at the seventh.
    let cut = board.read(&format!("{path}?limit=8")).await;
    assert_eq!(
        (&cut["text"], &cut["next"], &cut["end"]),
        (&json!("first "), &json!(6), &json!(false))
    );
    for query in ["limit=0", "limit=1048577", "from=-1", "form=1"] {
        let (status, answer) = board.server.get(&format!("{path}?{query}")).await;
        assert_eq!((status, &answer["code"]), (400, &json!("invalid_query")), "{query}: {answer}");
    }

    let run = board.read(&format!("/executions/{execution}")).await;
    assert_eq!((&run["status"], &run["outcome"]), (&json!("finished"), &json!("succeeded")));
    assert_eq!(
        (&run["exit_code"], &run["signal"], &run["no_changes"]),
        (&json!(0), &Value::Null, &json!(false))
    );
    assert_eq!(run["log_bytes"], json!("first ←\nerror\nlast\n".len()));
    let review = &board.items(&format!("/tasks/{task}/reviews")).await[0];
    assert_eq!(review["commit"], run["commit"]);
    let log = board.read(&format!("/reviews/{}/log", text(&review["id"]))).await;
    assert_eq!((&log["text"], &log["end"]), (&json!("checked\n"), &json!(true)));
}

#[tokio::test]
async fn e_5_events_are_paged_by_number_and_streamed_to_their_end() {
    let board = Board::new().await;
    let (said, go) = (board.meeting("said"), board.meeting("go"));
    let script =
        format!("echo x > x; echo one; echo two; {}; {}; echo three", said.announce(), go.wait());
    let agent = board.agent("coder", &script).await;
    let task = board.task(json!({ "title": "One" })).await;
    let claimed = board.claim(&task, &agent).await;
    let execution = text(&claimed["execution"]["id"]);
    said.announced().await;
    let path = format!("/executions/{execution}/log");
    let open = async |last: Option<&str>| {
        let request = board.server.request(http::Method::GET, &format!("{path}/stream"));
        let request = request.header("last-event-id", last.unwrap_or_default());
        let request = request.body(http_body_util::Full::default()).expect("a request");
        EventReader::new(board.server.open(request).await.into_body())
    };
    let mut stream = open(None).await;
    let live: Vec<_> = stream.take(2).await.into_iter().map(|event| event.data).collect();
    assert_eq!(live[0], json!({ "seq": 1, "kind": "stdout", "text": "one" }));
    let page = board.read(&path).await;
    assert_eq!((&page["events"], &page["end"]), (&json!(live), &json!(false)));
    go.go_on().await;
    let rest = stream.take(2).await;
    assert_eq!((rest[0].id.as_str(), &rest[0].data["text"]), ("3", &json!("three")));
    assert_eq!(rest[1].kind, "end");
    assert_eq!(stream.next().await, None);
    board.reached(&task, |task| task.attempts == 1).await;
    let again = open(Some("2")).await.take(2).await;
    assert_eq!(again, rest, "a reader goes on where it was, also after the end");
    let page = board.read(&format!("{path}?after=1&limit=1")).await;
    assert_eq!(page["events"], json!([{ "seq": 2, "kind": "stdout", "text": "two" }]));
    assert_eq!((&page["next"], &page["end"]), (&json!(2), &json!(false)));
    let page = board.read(&format!("{path}?tail=1")).await;
    assert_eq!((&page["events"][0]["seq"], &page["end"]), (&json!(3), &json!(true)));
    for query in ["limit=0", "tail=0", "limit=1001", "tail=1&after=1", "from=1"] {
        let (status, answer) = board.server.get(&format!("{path}?{query}")).await;
        assert_eq!((status, &answer["code"]), (400, &json!("invalid_query")), "{query}: {answer}");
    }
    let used = board.read(&format!("/tasks/{task}/usage")).await;
    assert_eq!(used["executions"], 0, "E-8: a plain command does not tell");
}

#[tokio::test]
async fn e_6_a_failing_agent_leaves_its_exit_code_and_a_parked_task() {
    let board = Board::new().await;
    let agent = board.agent("coder", "echo broken; exit 7").await;
    let task = board.task(json!({ "title": "One" })).await;
    board.claim(&task, &agent).await;
    board.reached(&task, |task| task.annotation.is_some()).await;
    let parked = board.show(&task).await;
    assert_eq!(
        (&parked["status"], &parked["error_annotation"]["type"]),
        (&json!("blocked"), &json!("execution_failed"))
    );
    let run = &board.items(&format!("/tasks/{task}/executions")).await[0];
    assert_eq!((&run["outcome"], &run["exit_code"]), (&json!("failed"), &json!(7)));
}

#[tokio::test]
async fn issue_13_21_a_shell_agent_gets_a_follow_up_in_its_next_prompt() {
    let board = Board::new().await;
    let (up, go) = (board.meeting("up"), board.meeting("go"));
    let script = format!(
        "cp \"$FORGE_PROMPT_FILE\" prompt.txt; [ -e again ] && exit; touch again; {}; {}",
        up.announce(),
        go.wait()
    );
    let agent = board.agent("coder", &script).await;
    let task = board.task(json!({ "title": "One" })).await;
    let first = text(&board.claim(&task, &agent).await["execution"]["id"]);
    up.announced().await;
    let path = format!("/executions/{first}/follow-up");
    let asked = json!({ "message": "and now the tests" });
    let details = board.refused(&path, asked.clone(), 409, "workspace_locked").await;
    let holder = text(&details["holder"]);
    assert!(holder.contains("coder") && holder.contains(&first), "{details}");
    go.go_on().await;
    board.reached(&task, |task| task.attempts == 1).await;
    board.quiet(&task).await;
    let (status, answer) = board.server.post(&path, asked).await;
    assert_eq!(status, 202, "{answer}");
    let second = text(&answer["execution"]["id"]);
    assert_ne!(second, first, "an execution of its own");
    board.reached(&task, |task| task.attempts == 2).await;
    let place = text(&board.read(&format!("/tasks/{task}/workspace")).await["path"]);
    let prompt = std::fs::read_to_string(std::path::Path::new(&place).join("prompt.txt"));
    assert!(prompt.unwrap().contains("and now the tests"));
}
