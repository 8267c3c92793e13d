//! A data directory, a repository, and agents that start, wait for a signal and continue.

use forge_api::{Execution, ExecutionStatus, PageQuery, SecretString, Task};
use forge_client::{ApiClient, EventStream, ServerUrl};
use nix::sys::signal::{Signal, kill};
use nix::sys::stat::Mode;
use nix::unistd::Pid;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use uuid::Uuid;

const TOKEN: &str = "fg_a-token-that-only-this-test-knows-0123456789";

/// The agent locks its worktree, reports its start, waits for one byte from the gate pipe, and does the other half.
const SCRIPT: &str = r#"
exec 9< .
flock -n 9 || echo DOUBLE >> "$PLACE/double"
echo half > "half-$FORGE_TASK_ID.txt"
echo before
echo up > "$PLACE/ups"
read byte < "$PLACE/gate"
echo after
echo whole > "whole-$FORGE_TASK_ID.txt"
"#;

pub(crate) struct RestartFixture {
    directory: tempfile::TempDir,
    ups: BufReader<File>,
    gate: File,
}

/// The running server binary.
pub(crate) struct ServerProcess {
    child: Child,
    pub(crate) client: ApiClient,
    url: String,
}

/// The lines that a server writes to standard error.
pub(crate) struct ServerLog(mpsc::Receiver<String>);

impl ServerLog {
    /// Waits for a line with this text; `false` if the server ends first.
    pub(crate) async fn wait_for(self, text: &'static str) -> (bool, Self) {
        let reading = tokio::task::spawn_blocking(move || {
            let found = self.0.iter().any(|line| line.contains(text));
            (found, self)
        });
        reading.await.expect("no panic")
    }
}

/// A client of the server at this URL.
pub(crate) fn client_at(url: &str) -> ApiClient {
    let url: ServerUrl = url.parse().expect("an address");
    ApiClient::new(url, Some(&SecretString::new(TOKEN))).expect("a client")
}

pub(crate) fn read<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("as the interface has it")
}

impl RestartFixture {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let pipe = |name: &str| {
            let path = directory.path().join(name);
            nix::unistd::mkfifo(&path, Mode::S_IRWXU).expect("a pipe");
            // Open for reading and writing, so that opening never blocks.
            OpenOptions::new().read(true).write(true).open(path).expect("a pipe")
        };
        let (ups, gate) = (BufReader::new(pipe("ups")), pipe("gate"));
        let place = Self { directory, ups, gate };
        std::fs::create_dir(place.repository()).expect("a directory");
        std::fs::write(place.repository().join("README"), "begun\n").expect("a file");
        place.git(&["init", "--quiet", "--initial-branch", "main"]);
        place.git(&["add", "."]);
        place.git(&["-c", "user.name=P", "-c", "user.email=p@localhost", "commit", "-qm", "Begin"]);
        place
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The script with the path of this fixture in it: a program gets only the server variables that its settings
    /// name.
    pub(crate) fn script(&self, text: &str) -> String {
        text.replace("$PLACE", self.path().to_str().expect("text"))
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.path().join("data")
    }

    pub(crate) fn repository(&self) -> PathBuf {
        self.path().join("repository")
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let out = Command::new("git").arg("-C").arg(self.repository()).args(arguments).output();
        let out = out.expect("git");
        assert!(out.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).expect("text").trim().to_owned()
    }

    /// Waits until this many more agents have started.
    pub(crate) async fn await_ups(&mut self, count: usize) {
        let mut ups = BufReader::new(self.ups.get_ref().try_clone().expect("a handle"));
        std::mem::swap(&mut ups, &mut self.ups);
        let reading = tokio::task::spawn_blocking(move || {
            for _ in 0..count {
                let mut line = String::new();
                ups.read_line(&mut line).expect("a line");
                assert_eq!(line, "up\n");
            }
            ups
        });
        self.ups = reading.await.expect("they come up");
    }

    /// Lets this many agents continue.
    pub(crate) fn open_gate(&mut self, count: usize) {
        // One byte each: an agent that reads one has a whole line.
        self.gate.write_all(&vec![b'\n'; count]).expect("the gate opens");
    }

    fn log(&self) -> File {
        let path = self.path().join("server.log");
        OpenOptions::new().create(true).append(true).open(path).expect("a log")
    }

    /// Starts the binary with these settings and waits for the line with its address.
    pub(crate) fn serve(&self, settings: &[&str]) -> ServerProcess {
        self.serve_to(settings, &[], Stdio::from(self.log()))
    }

    /// The same on a PostgreSQL database.
    pub(crate) fn serve_on(&self, database: &str) -> ServerProcess {
        self.serve_to(&[], &[("FORGE_DATABASE_URL", database)], Stdio::from(self.log()))
    }

    /// The same on a given database.
    pub(crate) fn serve_with_database(&self, settings: &[&str], database: &str) -> ServerProcess {
        let environment = [("FORGE_DATABASE_URL", database)];
        self.serve_to(settings, &environment, Stdio::from(self.log()))
    }

    /// Starts the server with another temporary directory.
    pub(crate) fn serve_with_temporary_directory(&self, directory: &Path) -> ServerProcess {
        let directory = directory.to_str().expect("a path of plain text");
        self.serve_to(&[], &[("TMPDIR", directory)], Stdio::from(self.log()))
    }

    /// The same, and its log.
    pub(crate) fn serve_on_with_log(&self, database: &str) -> (ServerProcess, ServerLog) {
        self.serve_to_log(&[], &[("FORGE_DATABASE_URL", database)])
    }

    /// Starts the server with these settings; returns its log too.
    pub(crate) fn serve_with_log(&self, settings: &[&str]) -> (ServerProcess, ServerLog) {
        self.serve_to_log(settings, &[])
    }

    fn serve_to_log(
        &self,
        settings: &[&str],
        environment: &[(&str, &str)],
    ) -> (ServerProcess, ServerLog) {
        let mut server = self.serve_to(settings, environment, Stdio::piped());
        let lines = BufReader::new(server.child.stderr.take().expect("piped")).lines();
        let (mut log, (sender, receiver)) = (self.log(), mpsc::channel());
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                writeln!(log, "{line}").expect("a log");
                // The test may have stopped listening.
                sender.send(line).ok();
            }
        });
        (server, ServerLog(receiver))
    }

    fn serve_to(
        &self,
        settings: &[&str],
        environment: &[(&str, &str)],
        log: Stdio,
    ) -> ServerProcess {
        let mut child = Command::new(env!("CARGO_BIN_EXE_forge"))
            .args(["serve", "--bind", "127.0.0.1:0", "--pool-size", "0", "--data-dir"])
            .arg(self.data())
            .args(settings)
            .env("FORGE_BOOTSTRAP_TOKEN", TOKEN)
            .env_remove("FORGE_TOKEN")
            .envs(environment.iter().copied())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("the binary starts");
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let url = lines.map_while(Result::ok).find_map(|line| {
            line.split_whitespace().find(|word| word.starts_with("http://")).map(str::to_owned)
        });
        let url =
            url.unwrap_or_else(|| panic!("the server did not start: {}", self.server_errors()));
        let client = client_at(&url);
        ServerProcess { child, client, url }
    }

    /// The standard error of all servers.
    pub(crate) fn server_errors(&self) -> String {
        std::fs::read_to_string(self.path().join("server.log")).unwrap_or_default()
    }

    /// Processes whose working directory is below this fixture.
    pub(crate) fn survivors(&self) -> Vec<String> {
        let processes = std::fs::read_dir("/proc").expect("/proc").flatten();
        let stands = |path: &Path| {
            std::fs::read_link(path.join("cwd")).is_ok_and(|cwd| cwd.starts_with(self.path()))
        };
        processes
            .filter(|entry| stands(&entry.path()))
            .map(|entry| {
                let name = std::fs::read_to_string(entry.path().join("cmdline"));
                format!("{:?} {}", entry.file_name(), name.unwrap_or_default().replace('\0', " "))
            })
            .collect()
    }
}

impl ServerProcess {
    /// A project on the repository with this many tasks, all claimed by one agent.
    pub(crate) async fn create_board(
        &self,
        place: &RestartFixture,
        tasks: usize,
    ) -> (Uuid, Vec<Uuid>) {
        let client = &self.client;
        let asked = read(json!({ "name": "Board", "workflow": "autopilot" }));
        let project = client.projects().create(&asked).await.expect("a project").id;
        let repo = read(json!({ "path": place.repository() }));
        client.repos().add(project, &repo).await.expect("a repository");
        let agent = read(json!({
            "name": "worker", "max_concurrent": 100,
            "executor": { "kind": "shell", "command": ["sh", "-ec", place.script(SCRIPT)] },
        }));
        let agent = client.agents().create(&agent).await.expect("an agent").id;
        let mut made = Vec::new();
        for number in 0..tasks {
            let asked = read(json!({ "title": format!("Work {number}") }));
            let task = client.tasks().create(project, &asked).await.expect("a task").id;
            let claim = read(json!({ "agent_id": agent }));
            client.tasks().claim(task, &claim).await.expect("is claimed");
            made.push(task);
        }
        (project, made)
    }

    pub(crate) async fn executions(&self, task: Uuid) -> Vec<Execution> {
        let page = self.client.tasks().fetch_executions(task, &PageQuery::default()).await;
        page.expect("the executions").items
    }

    /// Follows the events until the condition holds for every task.
    pub(crate) async fn await_all(
        &self,
        project: Uuid,
        tasks: &[Uuid],
        is_so: impl AsyncFn(&Self, Task) -> bool,
    ) {
        let query = read(json!({ "project": project }));
        let mut events: EventStream = self.client.events().follow(query).await.expect("the events");
        for task in tasks {
            loop {
                let now = self.client.tasks().fetch(*task).await.expect("the task");
                if is_so(self, now).await {
                    break;
                }
                events.next().await.expect("the stream goes on");
            }
        }
    }

    pub(crate) async fn await_running(&self, project: Uuid, tasks: &[Uuid]) {
        let is_running = async |server: &Self, task: Task| {
            let runs = server.executions(task.id).await;
            runs.iter().any(|run| run.status == ExecutionStatus::Running)
        };
        self.await_all(project, tasks, is_running).await;
    }

    pub(crate) async fn await_landed(&self, project: Uuid, tasks: &[Uuid]) {
        let has_landed = async |_: &Self, task: Task| {
            assert!(task.error_annotation.is_none(), "{}: {:?}", task.key, task.error_annotation);
            task.busy.is_none() && serde_json::to_value(task.phase).unwrap() == "done"
        };
        self.await_all(project, tasks, has_landed).await;
    }

    pub(crate) fn kill(mut self) {
        self.child.kill().expect("SIGKILL");
        self.child.wait().expect("it is gone");
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.child.id()).expect("a pid");
        kill(Pid::from_raw(pid), signal).expect("a signal");
    }

    pub(crate) async fn wait_for_exit(mut self) -> ExitStatus {
        let ended = tokio::task::spawn_blocking(move || self.child.wait());
        ended.await.expect("no panic").expect("it is gone")
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// The answer of the readiness endpoint, over a new connection.
    pub(crate) fn readiness(&self) -> String {
        let address = self.url.trim_start_matches("http://").trim_end_matches('/').to_owned();
        let mut stream = std::net::TcpStream::connect(&address).expect("it still listens");
        let request =
            format!("GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }
}
