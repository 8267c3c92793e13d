//! Questions of an execution to the person in charge, over HTTP (T-27).

use http::Method;
use serde_json::{Value, json};

use super::board::{Board, text};
use super::meeting::ScriptBarrier;

/// A task whose agent has said its token and waits. The agent's second turn stores its prompt and works.
struct AskingAgent {
    board: Board,
    task: String,
    token: String,
    go: ScriptBarrier,
}

impl AskingAgent {
    async fn start() -> Self {
        let board = Board::new().await;
        let (said, go) = (board.meeting("said"), board.meeting("go"));
        let script = format!(
            "cat > \"$HOME/prompt\"; if [ -e \"$HOME/token\" ]; then echo x > x.txt; exit; fi
             echo begun > begun.txt; printf %s \"$FORGE_TOKEN\" > \"$HOME/token\"; {}; {}",
            said.announce(),
            go.wait()
        );
        let agent = board.agent("coder", &script).await;
        let task = board.task(json!({ "title": "Ports" })).await;
        board.claim(&task, &agent).await;
        said.announced().await;
        let token = std::fs::read_to_string(board.server.directory().join("token"));
        Self { board, task, token: token.expect("the token"), go }
    }

    /// A request with the token of the execution.
    async fn call(&self, method: Method, path: &str, body: Value) -> (u16, Value) {
        let request = self.board.server.stranger(method, &format!("/api/v1{path}"));
        let request = request
            .header("authorization", format!("Bearer {}", self.token))
            .header("content-type", "application/json");
        let answer = self.board.server.send(request, Some(body.to_string())).await;
        (answer.status, answer.json())
    }

    async fn ask(&self, asked: Value) -> Value {
        let path = format!("/tasks/{}/questions", self.task);
        let (status, question) = self.call(Method::POST, &path, asked).await;
        assert_eq!(status, 201, "{question}");
        question
    }

    fn prompt(&self) -> String {
        let path = self.board.server.directory().join("prompt");
        std::fs::read_to_string(path).expect("the prompt")
    }
}

#[tokio::test]
async fn t_27_a_question_holds_the_work_until_its_answer_is_the_next_turn() {
    let asking = AskingAgent::start().await;
    let (board, task) = (&asking.board, &asking.task);
    let question = asking.ask(json!({ "text": "Which port?" })).await;
    assert_eq!((&question["number"], &question["status"]), (&json!(1), &json!("open")));
    assert_eq!(question["asked_by"]["execution_id"], question["execution_id"]);
    let own = format!("/tasks/{task}/questions/1/answer");
    let (status, refused) = asking.call(Method::POST, &own, json!({ "text": "80" })).await;
    assert_eq!((status, &refused["code"]), (403, &json!("forbidden")), "{refused}");
    let moved = format!("/tasks/{task}/transition");
    let moving = json!({ "status": "review", "version": board.show(task).await["version"] });
    let (status, refused) = asking.call(Method::POST, &moved, moving).await;
    assert_eq!((status, &refused["code"]), (409, &json!("question_open")), "{refused}");

    asking.go.go_on().await;
    board.reached(task, |task| task.answer_turn.is_some()).await;
    let shown = board.show(task).await;
    assert_eq!((&shown["status"], &shown["busy"]), (&json!("in_progress"), &Value::Null));
    assert_eq!(shown["questions"][0], question);
    let items = board.items("/needs-person").await;
    assert_eq!(items[0]["reason"], "question");
    assert_eq!(items[0]["message"], "its coder asks: Which port?");
    let command = "forge task answer T-1 TEXT --question 1 -p board";
    assert_eq!(items[0]["next"][0]["command"], command);
    let why = board.read(&format!("/tasks/{task}/why")).await;
    assert_eq!((&why["waits_for"], &why["person_reason"]), (&json!("person"), &json!("question")));
    let check = board.read("/agents/check").await;
    assert_eq!(check["waiting"][0]["key"], "T-1", "it is not abandoned: {check}");

    let actions = board.items(&format!("/tasks/{task}/actions")).await;
    let answer = actions.iter().find(|action| action["name"] == "answer").expect("it is offered");
    let path = text(&answer["path"]).replacen("/api/v1", "", 1);
    let answered = board.done(&path, json!({ "text": "8080" })).await;
    assert_eq!((&answered["status"], &answered["answer"]), (&json!("answered"), &json!("8080")));
    assert_eq!(answered["answered_by"]["kind"], "user");
    board.refused(&path, json!({ "text": "9090" }), 409, "question_closed").await;
    board.reached(task, |task| task.review_passed_at.is_some()).await;
    let prompt = asking.prompt();
    assert!(prompt.contains("Which port?") && prompt.contains("8080"), "{prompt}");
    let runs = board.items(&format!("/tasks/{task}/executions")).await;
    assert_eq!(runs.len(), 2, "one turn with the answer: {runs:?}");
    assert_eq!(board.items(&format!("/tasks/{task}/questions")).await, [answered]);
    assert_eq!(board.show(task).await["questions"], json!([]));
}

#[tokio::test]
async fn t_27_an_execution_that_waits_for_its_answer_gets_it_once() {
    let asking = AskingAgent::start().await;
    let (board, task) = (&asking.board, &asking.task);
    asking.ask(json!({ "text": "Which port?", "awaited": true })).await;
    let path = format!("/tasks/{task}/questions/1");
    let (status, still) = asking.call(Method::GET, &path, json!({})).await;
    assert_eq!((status, &still["status"]), (200, &json!("open")));
    let wait = format!("{path}?wait_seconds=600");
    let waiting = asking.call(Method::GET, &wait, json!({}));
    let answer_path = format!("{path}/answer");
    let answer = board.done(&answer_path, json!({ "text": "8080" }));
    let ((status, found), _) = tokio::join!(waiting, answer);
    assert_eq!((status, &found["answer"]), (200, &json!("8080")), "{found}");
    assert_eq!(board.show(task).await["messages"].as_array().map(Vec::len), Some(1));
    board.refused(&format!("{path}/confirm"), json!({}), 403, "forbidden").await;
    let (status, confirmed) =
        asking.call(Method::POST, &format!("{path}/confirm"), json!({})).await;
    assert_eq!((status, &confirmed), (200, &found));
    asking.go.go_on().await;
    board.reached(task, |task| task.review_passed_at.is_some()).await;
    let runs = board.items(&format!("/tasks/{task}/executions")).await;
    assert_eq!(runs.len(), 1, "the answer is no second turn: {runs:?}");
}

#[tokio::test]
async fn t_27_bad_questions_and_answers_are_refused_and_an_ended_task_closes_them() {
    let board = Board::new().await;
    let task = board.task(json!({ "title": "One" })).await;
    let path = format!("/tasks/{task}/questions");
    for text in [json!(" "), json!("a\u{0}b"), json!("x".repeat(20_001))] {
        let details = board.refused(&path, json!({ "text": text }), 422, "invalid_field").await;
        assert_eq!(details["path"], "text");
    }
    let asked = board.created(&path, json!({ "text": "Why?" })).await;
    assert_eq!(asked["execution_id"], Value::Null, "a user may ask before any execution");
    board.refused(&format!("{path}/2/answer"), json!({ "text": "x" }), 404, "not_found").await;
    board.done(&format!("/tasks/{task}/cancel"), json!({})).await;
    board
        .refused(&format!("{path}/1/answer"), json!({ "text": "x" }), 409, "question_closed")
        .await;
    board.refused(&path, json!({ "text": "Why?" }), 409, "task_terminal").await;
    let questions = board.items(&path).await;
    assert_eq!(
        (&questions[0]["status"], &questions[0]["answer"]),
        (&json!("closed"), &Value::Null)
    );
    assert!(questions[0]["ended_at"].is_string());
}
