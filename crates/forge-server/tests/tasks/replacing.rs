//! Replacing the workflow of a project with unfinished tasks (F-5).

use forge_domain::workflow::template;
use forge_store::tables;
use serde_json::{Value, json};

use super::board::{Board, text};

/// A built-in workflow with some states renamed.
fn renamed(template_name: &str, names: &[(&str, &str)]) -> Value {
    fn rename(value: &mut Value, names: &[(&str, &str)]) {
        match value {
            Value::String(name) => {
                if let Some((_, new)) = names.iter().find(|(old, _)| old == name) {
                    (*new).clone_into(name);
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| rename(item, names)),
            Value::Object(fields) => fields.values_mut().for_each(|field| rename(field, names)),
            _ => {}
        }
    }
    let mut definition = serde_json::to_value(template(template_name)).unwrap();
    rename(&mut definition, names);
    definition
}

impl Board {
    async fn replace_workflow(&self, asked: Value) -> (u16, Value) {
        self.server.put(&format!("/projects/{}/workflow", self.project), asked).await
    }

    /// All data that a refusal must not change.
    async fn picture(&self) -> Value {
        let project = format!("/projects/{}", self.project);
        let id = self.project.parse().expect("an id");
        json!({
            "project": self.read(&project).await,
            "workflow": self.read(&format!("{project}/workflow")).await,
            "tasks": self.items(&format!("{project}/tasks")).await,
            "events": tables::events::latest_seq(self.server.engine().db(), id).await.unwrap(),
        })
    }

    /// A replacement that is refused and changes nothing; returns the message and the details.
    async fn refused_replacement(&self, asked: Value, status: u16, code: &str) -> (String, Value) {
        let before = self.picture().await;
        let (found, answer) = self.replace_workflow(asked).await;
        assert_eq!((found, answer["code"].as_str()), (status, Some(code)), "{answer}");
        assert_eq!(self.picture().await, before, "nothing changed");
        (text(&answer["message"]), answer["details"].clone())
    }

    /// Two tasks in the initial state, one that a user works on, one in review.
    async fn busy() -> (Self, [String; 4]) {
        let board = Self::new().await;
        let mut tasks = Vec::new();
        for title in ["One", "Two", "Three", "Four"] {
            tasks.push(board.task(json!({ "title": title })).await);
        }
        let tasks: [String; 4] = tasks.try_into().expect("four");
        for task in &tasks[2..] {
            board.done(&format!("/tasks/{task}/claim"), json!({})).await;
        }
        board.move_to(&tasks[3], "review").await;
        (board, tasks)
    }
}

#[tokio::test]
async fn f_5_tasks_continue_in_the_states_of_the_new_workflow() {
    let (board, [one, two, three, four]) = Board::busy().await;
    board.done(&format!("/tasks/{two}/cancel"), json!({})).await;
    board.done(&format!("/tasks/{one}/archive"), json!({})).await;
    let mut events = board
        .server
        .events(&format!("?project={}&type=project.updated,task.adopted", board.project), None)
        .await;
    let old = board.show(&three).await;
    let workflow = renamed("default", &[("review", "inspection"), ("backlog", "ideas")]);
    let mapping = json!({ "review": "inspection", "backlog": "ideas" });
    let asked = json!({ "version": 1, "workflow": workflow, "mapping": mapping });
    let (status, project) = board.replace_workflow(asked).await;
    assert_eq!((status, &project["version"]), (200, &json!(2)), "{project}");
    assert_eq!(board.read(&format!("/projects/{}", board.project)).await, project);

    let statuses =
        [(&one, "ideas"), (&two, "cancelled"), (&three, "in_progress"), (&four, "inspection")];
    for (task, status) in statuses {
        assert_eq!(board.show(task).await["status"], status);
    }
    let kept = board.show(&three).await;
    assert_eq!(kept["version"], json!(old["version"].as_u64().unwrap() + 1));
    assert_eq!(kept["busy"], old["busy"]);
    let seen = events.take(4).await;
    let kinds: Vec<_> = seen.iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(kinds, ["project.updated", "task.adopted", "task.adopted", "task.adopted"]);
    let told = &seen[3].data["data"];
    assert_eq!((&told["from"], &told["to"]), (&json!("review"), &json!("inspection")));
    assert_eq!(told["workflow"], project["workflow"]["hash"]);
    assert_eq!(seen[3].data["actor"]["kind"], "user");

    let history = board.items(&format!("/tasks/{four}/transitions")).await;
    let last = history.last().expect("a transition");
    assert_eq!((&last["from_state"], &last["to_state"]), (&json!("review"), &json!("inspection")));
    let (_, view) = board.server.get(&format!("/projects/{}/workflow", board.project)).await;
    assert_eq!((&view["initial"], &view["hash"]), (&json!("ideas"), &project["workflow"]["hash"]));
    let fresh = board.task(json!({ "title": "Five" })).await;
    assert_eq!(board.show(&fresh).await["status"], "ideas");
    let landed = board.move_to(&four, "merging").await;
    assert_eq!(landed["status"], "done", "the review that had passed counts");
}

#[tokio::test]
async fn f_5_dropped_states_with_tasks_are_all_reported() {
    let (board, _) = Board::busy().await;
    let gone = [("backlog", "ideas"), ("review", "inspection"), ("todo", "next")];
    let asked = json!({ "version": 1, "workflow": renamed("default", &gone) });
    let (message, details) = board.refused_replacement(asked, 409, "workflow_in_use").await;
    let expected = json!([{ "state": "backlog", "tasks": 2 }, { "state": "review", "tasks": 1 }]);
    assert_eq!(details, json!({ "states": expected }), "no task is in the third");
    assert!(message.contains("\"backlog\" (2 tasks)"), "{message}");
    // A state of the same name and another kind is not a successor.
    let swapped = renamed("default", &[("review", "blocked"), ("blocked", "review")]);
    let asked = json!({ "version": 1, "workflow": swapped });
    let (message, details) = board.refused_replacement(asked, 409, "workflow_in_use").await;
    assert_eq!(details, json!({ "states": [{ "state": "review", "tasks": 1 }] }));
    assert!(message.contains("a gate state that is a hold state there"), "{message}");
}

#[tokio::test]
async fn f_5_an_invalid_mapping_is_refused_with_all_its_mistakes() {
    let (board, _) = Board::busy().await;
    let mapping = json!({
        "backlog": "todo", "blocked": "review", "in_progress": "coding", "nowhere": "neverland", "todo": "merging",
    });
    let asked = json!({ "version": 1, "workflow": "autopilot", "mapping": mapping });
    let (message, details) = board.refused_replacement(asked, 422, "invalid_field").await;
    assert_eq!(details["path"], "mapping");
    let states: Vec<_> =
        details["problems"].as_array().unwrap().iter().map(|found| text(&found["state"])).collect();
    assert_eq!(states, ["blocked", "in_progress", "nowhere", "nowhere", "todo"]);
    for named in
        ["\"blocked\"", "\"review\"", "\"coding\"", "\"nowhere\"", "\"neverland\"", "\"merging\""]
    {
        assert!(message.contains(named), "{named}: {message}");
    }
}

#[tokio::test]
async fn f_5_an_invalid_request_changes_nothing() {
    let (board, _) = Board::busy().await;
    let asked = json!({ "version": 7, "workflow": "autopilot" });
    let (_, details) = board.refused_replacement(asked, 409, "version_conflict").await;
    assert_eq!(details, json!({ "expected": 7, "actual": 1 }));
    let huge = json!({ "version": u64::MAX, "workflow": "autopilot" });
    board.refused_replacement(huge, 409, "version_conflict").await;

    let mut five = renamed("default", &[]);
    let states = five["state"].as_array_mut().unwrap();
    let mut set = |kind: &str, field: &str, value: Value| {
        states.iter_mut().find(|state| state["kind"] == kind).unwrap()[field] = value;
    };
    set("work", "done", json!("nowhere"));
    set("gate", "pass", json!("nowhere either"));
    set("gate", "max_attempts", json!(0));
    set("merge", "outcome", json!("success"));
    set("hold", "colour", json!("red"));
    let asked = json!({ "version": 1, "workflow": five });
    let (_, details) = board.refused_replacement(asked, 422, "invalid_workflow").await;
    let problems = details["problems"].as_array().unwrap();
    for field in ["done", "pass", "max_attempts", "outcome", "colour"] {
        let at = |problem: &Value| text(&problem["place"]).ends_with(&format!(".{field}"));
        assert_eq!(
            problems.iter().filter(|problem| at(problem)).count(),
            1,
            "{field}: {problems:?}"
        );
    }

    let unknown = json!({ "version": 1, "workflow": "agile" });
    let (_, details) = board.refused_replacement(unknown, 422, "invalid_field").await;
    assert_eq!(details["path"], "workflow");
    let misspelt = json!({ "version": 1, "workflow": "autopilot", "maping": {} });
    let (_, details) = board.refused_replacement(misspelt, 422, "unknown_field").await;
    assert_eq!(details["fields"], json!(["maping"]));
    let (_, details) =
        board.refused_replacement(json!({ "workflow": "autopilot" }), 422, "invalid_field").await;
    assert_eq!(details["path"], "version");

    let nobody = "/projects/0190d5c2-0000-7000-8000-000000000000/workflow";
    let (status, answer) =
        board.server.put(nobody, json!({ "version": 1, "workflow": "autopilot" })).await;
    assert_eq!((status, &answer["code"]), (404, &json!("not_found")));
}

#[tokio::test]
async fn f_5_the_same_workflow_again_changes_nothing() {
    let (board, _) = Board::busy().await;
    let before = board.picture().await;
    let (status, project) =
        board.replace_workflow(json!({ "version": 1, "workflow": "default" })).await;
    assert_eq!((status, &project), (200, &before["project"]));
    assert_eq!(board.picture().await, before);
}
