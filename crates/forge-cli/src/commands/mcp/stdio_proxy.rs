//! Forwards messages between standard input and output and the server.

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use forge_client::{ApiClient, McpToolSet};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::cli_error::CliError;
use crate::commands::mcp::protocol_headers::NegotiatedVersion;

/// How many messages may wait to be sent.
const WAITING: usize = 64;
/// The code of the protocol for a request that the server could not answer.
const INTERNAL_ERROR: i64 = -32603;

/// Forwards each line until the end of standard input. Requests run side by side, so that one that waits holds up no
/// other.
pub(super) async fn run_proxy(client: ApiClient, set: McpToolSet) -> Result<(), CliError> {
    let (lines, mut received) = mpsc::channel(WAITING);
    // A thread of its own: the end of the process does not wait for it.
    std::thread::spawn(move || read_lines(&lines));
    let version = Arc::new(NegotiatedVersion::default());
    let mut open = JoinSet::new();
    while let Some(line) = received.recv().await {
        let (client, version) = (client.clone(), Arc::clone(&version));
        open.spawn(async move { forward(&client, set, &version, line).await });
        while let Some(ended) = open.try_join_next() {
            ended.map_err(|error| CliError::local(error.to_string()))??;
        }
    }
    while let Some(ended) = open.join_next().await {
        ended.map_err(|error| CliError::local(error.to_string()))??;
    }
    Ok(())
}

fn read_lines(lines: &mpsc::Sender<String>) {
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        if !line.trim().is_empty() && lines.blocking_send(line).is_err() {
            return;
        }
    }
}

async fn forward(
    client: &ApiClient,
    set: McpToolSet,
    version: &NegotiatedVersion,
    line: String,
) -> Result<(), CliError> {
    // What is not JSON goes to the server as it is, which answers with the protocol's error.
    let message: Value = serde_json::from_str(&line).unwrap_or_default();
    let headers = version.headers(&message);
    let id = message.get("id").filter(|_| message["method"].is_string() || message.is_null());
    let answer = match client.mcp().send(set, line.into_bytes(), &headers).await {
        Ok(None) => return Ok(()),
        Ok(Some(answer)) if answer["jsonrpc"] == "2.0" => answer,
        // An error of the HTTP API, such as a token that has ended.
        Ok(Some(refused)) => match id {
            Some(id) => failure(id, &refused["message"], json!({ "code": refused["code"] })),
            None => return Ok(()),
        },
        Err(error) => match id {
            Some(id) => failure(id, &json!(error.to_string()), Value::Null),
            None => return Ok(()),
        },
    };
    if message["method"] == "initialize" {
        version.remember(&answer);
    }
    print_message(&answer)
}

fn failure(id: &Value, message: &Value, data: Value) -> Value {
    let mut error = json!({ "code": INTERNAL_ERROR, "message": message });
    if !data.is_null() {
        error["data"] = data;
    }
    json!({ "jsonrpc": "2.0", "id": id, "error": error })
}

/// Prints one message on one line.
fn print_message(message: &Value) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    writeln!(out, "{message}").and_then(|()| out.flush())?;
    Ok(())
}
