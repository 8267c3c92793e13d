//! A board with a repository, and helpers for the requests of a client.

use forge_domain::task::TaskSnapshot;
use forge_store::{WakeChannel, tables};
use forge_testkit::test_repository::TestRepository;
use serde_json::{Value, json};

use super::meeting::ScriptBarrier;
use super::support::TestServer;

/// A command that does not end by itself and leaves no child process.
pub(crate) const WAITS: &str = "exec tail -f /dev/null";

#[derive(Debug)]
pub(crate) struct Board {
    pub(crate) server: TestServer,
    pub(crate) repository: TestRepository,
    pub(crate) project: String,
}

impl Board {
    /// A board with the default workflow.
    pub(crate) async fn new() -> Self {
        Self::with(json!({ "name": "Board" })).await
    }

    /// A board with these project settings.
    pub(crate) async fn with(asked: Value) -> Self {
        Self::on(TestServer::start().await, asked).await
    }

    /// A board with these project settings on this server.
    pub(crate) async fn on(server: TestServer, asked: Value) -> Self {
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

    /// Creates a shell agent; returns its id.
    pub(crate) async fn agent(&self, name: &str, script: &str) -> String {
        self.agent_with(name, script, 10).await
    }

    pub(crate) async fn agent_with(&self, name: &str, script: &str, max_concurrent: u32) -> String {
        let executor = json!({ "kind": "shell", "command": ["sh", "-ec", script] });
        let asked = json!({ "name": name, "executor": executor, "max_concurrent": max_concurrent });
        text(&self.created("/agents", asked).await["id"])
    }

    /// Creates a task; returns its id.
    pub(crate) async fn task(&self, asked: Value) -> String {
        let path = format!("/projects/{}/tasks", self.project);
        text(&self.created(&path, asked).await["id"])
    }

    /// Sends a request that must answer 201.
    pub(crate) async fn created(&self, path: &str, asked: Value) -> Value {
        let (status, made) = self.server.post(path, asked).await;
        assert_eq!(status, 201, "POST {path}: {made}");
        made
    }

    /// Sends a request that must succeed.
    pub(crate) async fn done(&self, path: &str, asked: Value) -> Value {
        let (status, answer) = self.server.post(path, asked).await;
        assert_eq!(status, 200, "POST {path}: {answer}");
        answer
    }

    /// Reads an object that must exist.
    pub(crate) async fn read(&self, path: &str) -> Value {
        let (status, found) = self.server.get(path).await;
        assert_eq!(status, 200, "GET {path}: {found}");
        found
    }

    /// The items of a list.
    pub(crate) async fn items(&self, path: &str) -> Vec<Value> {
        self.read(path).await["items"].as_array().expect("a list").clone()
    }

    /// Sends a request that must be refused; returns the details.
    pub(crate) async fn refused(&self, path: &str, asked: Value, status: u16, code: &str) -> Value {
        let (found, answer) = self.server.post(path, asked).await;
        assert_eq!((found, answer["code"].as_str()), (status, Some(code)), "POST {path}: {answer}");
        let message = answer["message"].as_str().unwrap_or_default();
        assert!(message.len() > 20, "a message that says what to do: {message}");
        answer["details"].clone()
    }

    /// The current task.
    pub(crate) async fn show(&self, task: &str) -> Value {
        self.read(&format!("/tasks/{task}")).await
    }

    /// Has the agent claim the task.
    pub(crate) async fn claim(&self, task: &str, agent: &str) -> Value {
        self.done(&format!("/tasks/{task}/claim"), json!({ "agent_id": agent })).await
    }

    /// Moves the task with its current version.
    pub(crate) async fn move_to(&self, task: &str, status: &str) -> Value {
        let version = self.show(task).await["version"].clone();
        let asked = json!({ "status": status, "version": version });
        self.done(&format!("/tasks/{task}/transition"), asked).await
    }

    /// A barrier shared with a script.
    pub(crate) fn meeting(&self, name: &str) -> ScriptBarrier {
        ScriptBarrier::at(self.server.directory(), name)
    }

    /// Waits until the task fulfils the condition.
    pub(crate) async fn reached(
        &self,
        task: &str,
        condition: impl Fn(&TaskSnapshot) -> bool,
    ) -> TaskSnapshot {
        let id = task.parse().expect("an id");
        self.server.engine().progress().wait_until(id, condition).await.expect("the task")
    }

    /// Waits until none of the task's effects is pending.
    pub(crate) async fn quiet(&self, task: &str) {
        let (db, id) = (self.server.engine().db(), task.parse().expect("an id"));
        let mut wakes = db.subscribe(WakeChannel::Effects);
        loop {
            let steps = tables::effects::list_of_task(db, id).await.expect("the steps");
            if steps.iter().all(|step| !step.open) {
                return;
            }
            wakes.next().await.expect("the server runs");
        }
    }
}

/// The text of a JSON string.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("a string, not {value}")).to_owned()
}
