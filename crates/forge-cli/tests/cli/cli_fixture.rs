//! A real server, a signed-in user, and the user's repository.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};

use forge_api::{EventQuery, EventType, SecretString, Task};
use forge_client::{ApiClient, EventStream};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::forge::{CliUser, CommandResult};
use crate::serve::{TOKEN, TestServer};
use crate::walk::{git, repository};

pub(crate) const CREDENTIALS: &str = ".config/forge/credentials.toml";
pub(crate) const PASSWORD: &str = "correct horse battery";

/// Everything that a command needs: its server belongs to one test and stops with it.
pub(crate) struct CliFixture {
    pub(crate) serving: TestServer,
    pub(crate) user: CliUser,
    pub(crate) repo: PathBuf,
}

impl CliFixture {
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// The same with additional variables in the server's environment.
    pub(crate) fn start_with(variables: &[(&str, &str)]) -> Self {
        let variables = [&[("FORGE_BOOTSTRAP_TOKEN", TOKEN)], variables].concat();
        let serving = TestServer::start(&variables);
        let mut user = CliUser::at(serving.url());
        user.set("FORGE_TOKEN", TOKEN);
        let repo = repository(&user);
        Self { serving, user, repo }
    }

    /// The same with a project on the repository.
    pub(crate) fn with_project() -> Self {
        let fixture = Self::start();
        fixture.run(&["init"]);
        fixture
    }

    /// The output of a command that must succeed.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        self.user.succeed_in(&self.repo, arguments)
    }

    /// The result of a command that must exit with this code.
    pub(crate) fn fail(&self, code: i32, arguments: &[&str]) -> CommandResult {
        let ended = self.user.run_in(&self.repo, arguments);
        assert_eq!(ended.code, code, "{arguments:?}: {ended:?}");
        ended
    }

    /// The JSON document that a command prints.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let arguments = [arguments, &["--json"]].concat();
        serde_json::from_str(&self.run(&arguments)).expect("one document")
    }

    /// Adds an agent that runs this script.
    pub(crate) fn add_agent(&self, name: &str, script: &str) {
        self.run(&["agent", "add", name, "--max-concurrent", "9", "--", "sh", "-c", script]);
    }

    /// Creates a task and claims it for the agent.
    pub(crate) fn start_task(&self, key: &str, title: &str, agent: &str) {
        self.run(&["task", "new", title]);
        self.run(&["task", "claim", key, "--agent", agent]);
    }

    /// The same, and waits until it has passed its gate.
    pub(crate) fn finish_task(&self, key: &str, title: &str, agent: &str) {
        self.start_task(key, title, agent);
        self.wait_until_passed(key);
    }

    pub(crate) fn wait_until_passed(&self, key: &str) {
        self.wait_until(key, |task| task.review_passed_at.is_some() && task.busy.is_none());
    }

    /// Commits a file in the user's repository.
    pub(crate) fn commit(&self, name: &str, content: &str) {
        std::fs::write(self.repo.join(name), content).expect("written");
        git(&self.repo, &["add", "--all"]);
        git(&self.repo, &["commit", "-qm", name]);
    }

    /// The directory of the task's workspace.
    pub(crate) fn workspace(&self, key: &str) -> PathBuf {
        self.json(&["workspace", "show", key])["path"].as_str().expect("a path").into()
    }

    pub(crate) fn workspaces(&self) -> PathBuf {
        self.serving.home().join("data/workspaces")
    }

    /// A named pipe in the agents' `$HOME`.
    pub(crate) fn make_pipe(&self, name: &str) -> PathBuf {
        let path = self.serving.home().join(name);
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, mode).expect("a pipe");
        path
    }

    /// A client with the user's token.
    pub(crate) fn client(&self) -> ApiClient {
        let url = self.serving.url().parse().expect("an address");
        ApiClient::new(url, Some(&SecretString::new(TOKEN))).expect("a client")
    }

    /// Sends a request of the API for which the command line has no command; returns the answer's document.
    pub(crate) fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        send_request(self.serving.url(), TOKEN, method, path, body)
    }

    /// Creates a user with the password [`PASSWORD`]; returns a token of the user.
    pub(crate) fn create_user(&self, name: &str) -> String {
        self.call("POST", "/users", &json!({ "name": name, "password": PASSWORD }));
        let home = CliUser::at(self.serving.url());
        let login = home.pipe(PASSWORD, &["login", "--name", name]);
        assert_eq!(login.code, 0, "{login:?}");
        let file = std::fs::read_to_string(home.home.path().join(CREDENTIALS)).expect("stored");
        let token = file.lines().find_map(|line| line.trim().strip_prefix("token = "));
        token.expect("a token").trim_matches('"').to_owned()
    }

    /// Another user of the same server.
    pub(crate) fn user_with_token(&self, token: &str) -> CliUser {
        let mut user = CliUser::at(self.serving.url());
        user.set("FORGE_TOKEN", token);
        user
    }

    /// Replaces settings of the project.
    pub(crate) fn change_settings(&self, settings: Value) {
        let project = self.json(&["project", "show"]);
        let id = project["id"].as_str().expect("an identifier");
        let patch = json!({ "version": project["version"], "settings": settings });
        self.call("PATCH", &format!("/projects/{id}"), &patch);
    }

    /// Follows the events until the condition holds for the task of the first project; returns the task.
    pub(crate) fn wait_until(&self, key: &str, condition: impl Fn(&Task) -> bool) -> Task {
        let number = key.trim_start_matches("T-").parse().expect("a number");
        block_on(async {
            let client = self.client();
            let mut events = follow_new_events(&client).await;
            let projects = client.projects().fetch_page(&Default::default()).await;
            let project = projects.expect("projects").items.first().expect("a project").id;
            loop {
                let task = client.tasks().fetch_by_number(project, number).await.expect("the task");
                if condition(&task) {
                    return task;
                }
                events.next().await.expect("an event");
            }
        })
    }

    /// Follows the events, from the first one on, until there were this many of the kind.
    pub(crate) fn wait_for_events(&self, kind: EventType, count: usize) {
        block_on(async {
            let from_the_first = serde_json::json!({ "after": "0" });
            let query: EventQuery = serde_json::from_value(from_the_first).expect("a query");
            let mut events = self.client().events().follow(query).await.expect("a stream");
            let mut found = 0;
            while found < count {
                let event = events.next().await.expect("an event");
                found += usize::from(event.kind == kind);
            }
        });
    }

    /// Stops the server and starts another on the same data.
    pub(crate) fn restart(mut self) -> Self {
        self.serving.restart(&[("FORGE_BOOTSTRAP_TOKEN", TOKEN)]);
        self.user.set("FORGE_URL", self.serving.url());
        self
    }

    /// Stops the server, which must end in order.
    pub(crate) fn stop(self) {
        assert_eq!(self.serving.stop(), Some(0));
    }
}

pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> T {
    Runtime::new().expect("a runtime").block_on(work)
}

/// Sends a request over a connection of its own; it must succeed.
pub(crate) fn send_request(
    url: &str,
    token: &str,
    method: &str,
    path: &str,
    body: &Value,
) -> Value {
    let host = url.trim_start_matches("http://").trim_end_matches('/');
    let body = body.to_string();
    let request = format!(
        "{method} /api/v1{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
         Authorization: Bearer {token}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(host).expect("it listens");
    stream.write_all(request.as_bytes()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    let (head, document) = answer.split_once("\r\n\r\n").expect("a head");
    assert!(head.starts_with("HTTP/1.1 2"), "{method} {path}: {answer}");
    serde_json::from_str(document).expect("JSON")
}

async fn follow_new_events(client: &ApiClient) -> EventStream {
    client.events().follow(EventQuery::default()).await.expect("a stream")
}

/// Returns once a program has written to the pipe and closed it.
pub(crate) fn wait_for_writer(pipe: &Path) {
    std::fs::read(pipe).expect("a program writes");
}

/// Lets the program that reads the pipe continue.
pub(crate) fn release_reader(pipe: &Path) {
    let mut pipe: File = OpenOptions::new().write(true).open(pipe).expect("a program reads");
    pipe.write_all(b"\n").expect("written");
}
