//! A board with a repository, and verbs for what a client does with it.

use forge_domain::task::Snapshot;
use forge_store::{Channel, tables};
use forge_testkit::repository::Repository;
use serde_json::{Value, json};

use super::meeting::Meeting;
use super::support::TestServer;

/// Does not end by itself; nothing it starts outlives it.
pub(crate) const WAITS: &str = "exec tail -f /dev/null";

#[derive(Debug)]
pub(crate) struct Board {
    pub(crate) server: TestServer,
    pub(crate) repository: Repository,
    pub(crate) project: String,
}

impl Board {
    /// A board with the default workflow.
    pub(crate) async fn new() -> Self {
        Self::with(json!({ "name": "Board" })).await
    }

    /// A board as asked for.
    pub(crate) async fn with(asked: Value) -> Self {
        let server = TestServer::start().await;
        let repository = server.repository().await;
        let (status, project) = server.post("/projects", asked).await;
        assert_eq!(status, 201, "{project}");
        let project = text(&project["id"]);
        let board = Self { server, repository, project };
        let repo = json!({ "path": board.repository.path() });
        let path = format!("/projects/{}/repos", board.project);
        board.created(&path, repo).await;
        board
    }

    /// Another board of the same server, without a repository.
    pub(crate) async fn other_project(&self, name: &str) -> String {
        text(&self.created("/projects", json!({ "name": name })).await["id"])
    }

    /// A shell agent; gives its id.
    pub(crate) async fn agent(&self, name: &str, script: &str) -> String {
        self.agent_with(name, script, 10).await
    }

    pub(crate) async fn agent_with(&self, name: &str, script: &str, max_concurrent: u32) -> String {
        let executor = json!({ "kind": "shell", "command": ["sh", "-ec", script] });
        let asked = json!({ "name": name, "executor": executor, "max_concurrent": max_concurrent });
        text(&self.created("/agents", asked).await["id"])
    }

    /// A task; gives its id.
    pub(crate) async fn task(&self, asked: Value) -> String {
        let path = format!("/projects/{}/tasks", self.project);
        text(&self.created(&path, asked).await["id"])
    }

    /// Asks for something that must be made.
    pub(crate) async fn created(&self, path: &str, asked: Value) -> Value {
        let (status, made) = self.server.post(path, asked).await;
        assert_eq!(status, 201, "POST {path}: {made}");
        made
    }

    /// Asks for something that must be done.
    pub(crate) async fn done(&self, path: &str, asked: Value) -> Value {
        let (status, answer) = self.server.post(path, asked).await;
        assert_eq!(status, 200, "POST {path}: {answer}");
        answer
    }

    /// Reads something that must be there.
    pub(crate) async fn read(&self, path: &str) -> Value {
        let (status, found) = self.server.get(path).await;
        assert_eq!(status, 200, "GET {path}: {found}");
        found
    }

    /// The items of a list.
    pub(crate) async fn items(&self, path: &str) -> Vec<Value> {
        self.read(path).await["items"].as_array().expect("a list").clone()
    }

    /// Asks for something that must be refused; gives the details.
    pub(crate) async fn refused(&self, path: &str, asked: Value, status: u16, code: &str) -> Value {
        let (found, answer) = self.server.post(path, asked).await;
        assert_eq!((found, answer["code"].as_str()), (status, Some(code)), "POST {path}: {answer}");
        let message = answer["message"].as_str().unwrap_or_default();
        assert!(message.len() > 20, "a message that says what to do: {message}");
        answer["details"].clone()
    }

    /// The task as it is.
    pub(crate) async fn show(&self, task: &str) -> Value {
        self.read(&format!("/tasks/{task}")).await
    }

    /// Has the agent claim the task.
    pub(crate) async fn claim(&self, task: &str, agent: &str) -> Value {
        self.done(&format!("/tasks/{task}/claim"), json!({ "agent_id": agent })).await
    }

    /// Moves the task with its present version.
    pub(crate) async fn move_to(&self, task: &str, status: &str) -> Value {
        let version = self.show(task).await["version"].clone();
        let asked = json!({ "status": status, "version": version });
        self.done(&format!("/tasks/{task}/transition"), asked).await
    }

    /// A place to meet a script.
    pub(crate) fn meeting(&self, name: &str) -> Meeting {
        Meeting::at(self.server.directory(), name)
    }

    /// Waits until the task is as wanted.
    pub(crate) async fn reached(
        &self,
        task: &str,
        condition: impl Fn(&Snapshot) -> bool,
    ) -> Snapshot {
        let id = task.parse().expect("an id");
        self.server.engine().reached(id, condition).await.expect("the task")
    }

    /// Waits until none of the task's steps is open.
    pub(crate) async fn quiet(&self, task: &str) {
        let (db, id) = (self.server.engine().db(), task.parse().expect("an id"));
        let mut wakes = db.subscribe(Channel::Effects);
        loop {
            let steps = tables::effects::list_of_task(db, id).await.expect("the steps");
            if steps.iter().all(|step| !step.open) {
                return;
            }
            wakes.next().await.expect("the server runs");
        }
    }
}

/// A JSON string's text.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("a string, not {value}")).to_owned()
}
