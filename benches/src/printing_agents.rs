//! A server with agents that print at the same time: their output is known, so it can be compared with their logs.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use forge_testkit::test_repository::TestRepository;
use http::{Method, StatusCode};
use rustix::fs::{CWD, Mode, mkfifoat};
use serde_json::{Value, json};

use crate::bench_error::BenchError;
use crate::http_client::HttpClient;
use crate::served_binary::ServedBinary;

const POLL_INTERVAL: Duration = Duration::from_millis(100);
const PATIENCE: Duration = Duration::from_secs(900);
/// The largest page of an output.
const PAGE: usize = 1 << 20;
const LINE: usize = 64;

/// Blocks on the pipe `go`, prints, and reports that it is done. `$1` is the directory, `$2` the number of rounds,
/// `$3` the command.
const SCRIPT: &str = r#"
echo done > done
: > "$1/there/$$"
: < "$1/go"
round=0
while [ "$round" -lt "$2" ]; do
  eval "$3"
  round=$((round + 1))
done
: > "$1/over/$$"
"#;

/// Agents at work on a separate server.
#[derive(Debug)]
pub(crate) struct PrintingAgents {
    pub(crate) served: ServedBinary,
    pub(crate) client: HttpClient,
    pub(crate) project: String,
    pub(crate) tasks: Vec<String>,
    place: PathBuf,
    executions: Vec<String>,
    /// The writing end of the pipe that the agents wait for.
    start_signal: Option<File>,
}

impl PrintingAgents {
    /// Starts this many agents that wait for the start signal; then each runs the command this many times.
    pub(crate) async fn start(
        place: &Path,
        count: usize,
        rounds: usize,
        call: &str,
    ) -> Result<Self, BenchError> {
        std::fs::create_dir(place.join("there"))?;
        std::fs::create_dir(place.join("over"))?;
        mkfifoat(CWD, place.join("go"), Mode::RUSR | Mode::WUSR)?;
        std::fs::write(place.join("chatter.sh"), SCRIPT)?;
        let repository = TestRepository::create(&place.join("repository")).await;
        let served = ServedBinary::start(place).await?;
        let mut client = HttpClient::connect(served.address).await?;
        let project = client.create("/api/v1/projects", &json!({ "name": "Bench" })).await?;
        let project = format!("/api/v1/projects/{}", text(&project["id"]));
        client.create(&format!("{project}/repos"), &json!({ "path": repository.path() })).await?;
        let script = place.join("chatter.sh");
        let rounds = rounds.to_string();
        let asked = json!({
            "name": "chatty",
            "executor": { "kind": "shell", "command": ["sh", script, place, rounds, call] },
            "max_concurrent": count,
        });
        let agent = text(&client.create("/api/v1/agents", &asked).await?["id"]);
        let (mut tasks, mut executions) = (Vec::new(), Vec::new());
        for number in 0..count {
            let asked = json!({ "title": format!("Task {number}") });
            let task = client.create(&format!("{project}/tasks"), &asked).await?;
            let task = format!("/api/v1/tasks/{}", text(&task["id"]));
            let body = Bytes::from(json!({ "agent_id": agent }).to_string());
            let path = format!("{task}/claim");
            let (status, said) = client.call(Method::POST, &path, Some(body)).await?;
            if status != StatusCode::OK {
                let said = String::from_utf8_lossy(&said);
                return Err(format!("POST {path}: {status} {said}").into());
            }
            let claimed: Value = serde_json::from_slice(&said)?;
            executions.push(format!("/api/v1/executions/{}", text(&claimed["execution"]["id"])));
            tasks.push(task);
        }
        Ok(Self {
            served,
            client,
            project,
            tasks,
            place: place.to_owned(),
            executions,
            start_signal: None,
        })
    }

    /// Waits until all programs run.
    pub(crate) async fn wait_until_running(&self) -> Result<(), BenchError> {
        let mut looks = tokio::time::interval(POLL_INTERVAL);
        let running = async {
            while self.signs("there")? < self.executions.len() {
                looks.tick().await;
            }
            Ok::<_, BenchError>(())
        };
        tokio::time::timeout(PATIENCE, running).await.map_err(|_| "the agents did not start")?
    }

    fn signs(&self, name: &str) -> std::io::Result<usize> {
        Ok(std::fs::read_dir(self.place.join(name))?.count())
    }

    /// Sends the start signal. It persists, so late readers see it too.
    pub(crate) fn send_start_signal(&mut self) -> std::io::Result<()> {
        self.start_signal = Some(OpenOptions::new().write(true).open(self.place.join("go"))?);
        Ok(())
    }

    /// Whether every agent has printed all of its output.
    pub(crate) fn all_printed(&self) -> std::io::Result<bool> {
        Ok(self.signs("over")? >= self.executions.len())
    }

    /// Waits until every execution is recorded as ended.
    pub(crate) async fn wait_until_ended(&mut self) -> Result<(), BenchError> {
        for execution in self.executions.clone() {
            self.wait_until(&execution, |run| !run["finished_at"].is_null()).await?;
        }
        Ok(())
    }

    async fn wait_until(
        &mut self,
        path: &str,
        reached: impl Fn(&Value) -> bool,
    ) -> Result<(), BenchError> {
        let mut looks = tokio::time::interval(POLL_INTERVAL);
        let looked = async {
            while !reached(&read(&mut self.client, path).await?) {
                looks.tick().await;
            }
            Ok::<_, BenchError>(())
        };
        let looked = tokio::time::timeout(PATIENCE, looked).await;
        looked.map_err(|_| format!("{path} is not there yet after {PATIENCE:?}"))?
    }

    /// How many of these lines, printed in each round, are missing from the log or out of place.
    pub(crate) async fn lost_lines(
        &mut self,
        lines: &str,
        rounds: usize,
    ) -> Result<usize, BenchError> {
        let wanted = lines.repeat(rounds);
        let mut lost = 0;
        for execution in self.executions.clone() {
            let mut output = String::with_capacity(wanted.len());
            loop {
                let path = format!("{execution}/log/raw?from={}&limit={PAGE}", output.len());
                let page = read(&mut self.client, &path).await?;
                output.push_str(page["text"].as_str().unwrap_or_default());
                if page["end"] == json!(true) {
                    break;
                }
            }
            if output != wanted {
                let (have, want) = (output.lines().collect::<Vec<_>>(), wanted.lines());
                let same = want.zip(&have).filter(|(want, have)| want == *have).count();
                lost += (wanted.len() / LINE).max(have.len()) - same;
            }
        }
        Ok(lost)
    }

    /// The total stored size of all outputs in bytes.
    pub(crate) async fn output_sizes(&mut self) -> Result<u64, BenchError> {
        let mut sum = 0;
        for execution in self.executions.clone() {
            let run = read(&mut self.client, &execution).await?;
            sum += run["log_bytes"].as_u64().unwrap_or_default();
        }
        Ok(sum)
    }

    pub(crate) async fn stop(self) -> Result<(), BenchError> {
        self.served.stop().await
    }
}

/// Numbered lines, one megabyte in total.
pub(crate) fn megabyte() -> String {
    let line =
        |number| format!("line {number:07} of an agent that is never at a loss for words, and\n");
    (0..(1 << 20) / LINE).map(line).collect()
}

pub(crate) async fn read(client: &mut HttpClient, path: &str) -> Result<Value, BenchError> {
    let (status, answer) = client.call(Method::GET, path, None).await?;
    if status != StatusCode::OK {
        return Err(format!("GET {path}: {status} {}", String::from_utf8_lossy(&answer)).into());
    }
    Ok(serde_json::from_slice(&answer)?)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_megabyte_is_whole_lines_of_one_length() {
        let lines = megabyte();
        assert_eq!(lines.len(), 1 << 20);
        assert!(lines.lines().all(|line| line.len() == LINE - 1));
    }
}
