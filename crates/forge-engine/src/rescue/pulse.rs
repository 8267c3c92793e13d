//! How one run is doing.

use crate::engine::Engine;
use crate::errors::EngineError;
use crate::registry::Setup;
use crate::signs::{Footprint, printed};
use forge_agent::{Body, Executor, Parser, Redactor, Source, Usage};
use forge_domain::Timestamp;
use forge_domain::task::{AnnotationType, Snapshot};
use forge_git::{DiffLimits, DiffScope, FileDiff};
use forge_store::tables::executions::Execution;
use std::path::{Path, PathBuf};

/// How much of the end of a log is read for it.
const TAIL: u64 = 256 * 1024;
const LAST_OUTPUT: usize = 2000;
const MOST_FILES: usize = 100;

/// A run at this moment. Secrets are masked.
#[derive(Debug, Clone)]
pub struct Pulse {
    /// The last sign of life: output, or a changed file.
    pub last_activity_at: Option<Timestamp>,
    /// When it last printed.
    pub last_output_at: Option<Timestamp>,
    /// What it last said.
    pub last_output: String,
    /// The tool it uses right now, where its program tells.
    pub current_tool: Option<String>,
    /// What it used so far, where its program tells.
    pub usage: Option<Usage>,
    /// The files it is changing: those that are not committed.
    pub files: Vec<FileDiff>,
    /// There are more of them.
    pub more_files: bool,
    /// Since when it shows no sign of life, once that has been noticed.
    pub stalled_since: Option<Timestamp>,
}

/// What the end of a log tells.
#[derive(Debug, Default)]
struct Said {
    lines: Vec<String>,
    tool: Option<String>,
    usage: Option<Usage>,
}

impl Engine {
    /// How a run of this task is doing.
    pub async fn pulse(
        &self,
        task: &Snapshot,
        execution: &Execution,
    ) -> Result<Pulse, EngineError> {
        let log = self.0.home.log(execution.id.uuid());
        let own = task.run.as_ref().is_some_and(|run| run.execution == execution.id);
        let place = task.workspace.as_ref().filter(|_| own).map(|at| PathBuf::from(&at.path));
        let looked = tokio::task::spawn_blocking(move || {
            let (_, output_at) = printed(&log);
            let changed_at = place.and_then(|place| Footprint::of(&place).newest());
            (output_at, changed_at, read_tail(&log).unwrap_or_default())
        });
        let (output_at, changed_at, tail) = looked.await.unwrap_or_default();
        let said = self.said(task, execution, &tail).await?;
        let diff = if own { self.uncommitted(task).await } else { None };
        let (files, more_files) = diff.unwrap_or_default();
        let stall = task.annotation.as_ref().filter(|_| own);
        let stall = stall.filter(|trouble| trouble.kind == AnnotationType::Stalled);
        // Before its own start a file was changed by somebody else.
        let changed_at =
            changed_at.filter(|at| execution.started_at.is_none_or(|began| *at > began));
        Ok(Pulse {
            last_activity_at: output_at.max(changed_at),
            last_output_at: output_at,
            last_output: end_of(&said.lines.join("\n")),
            current_tool: said.tool.filter(|_| own),
            usage: said.usage,
            files,
            more_files,
            stalled_since: stall.map(|trouble| trouble.at),
        })
    }

    async fn said(
        &self,
        task: &Snapshot,
        execution: &Execution,
        tail: &str,
    ) -> Result<Said, EngineError> {
        let mut secrets: Vec<String> = Vec::new();
        let settings = self.project(task.project_id).await?.settings;
        secrets.extend(Setup::of(&settings)?.env.into_values());
        let mut executor = None;
        if let Some(id) = execution.agent_id {
            let written = self.agent(id).await?.executor;
            let given = written.get("environment").and_then(serde_json::Value::as_object);
            let values = given.into_iter().flat_map(|table| table.values());
            secrets.extend(values.filter_map(|value| value.as_str().map(str::to_owned)));
            executor = Executor::from_json(&written).ok();
        }
        let text = Redactor::new(&secrets).redact(tail);
        let mut said = Said::default();
        match executor {
            Some(executor) => {
                let mut parser = Parser::new(executor.adapter());
                let mut take = |event: forge_agent::Event| said.take(event.body);
                parser.feed(Source::Stdout, text.as_bytes(), &mut take);
                // What has no end of line yet was said all the same.
                if !text.ends_with('\n') {
                    parser.feed(Source::Stdout, b"\n", &mut take);
                }
            }
            None => said.lines.push(text),
        }
        Ok(said)
    }

    async fn uncommitted(&self, task: &Snapshot) -> Option<(Vec<FileDiff>, bool)> {
        let limits = DiffLimits { files: MOST_FILES, file_bytes: 0, total_bytes: 0 };
        // A plain directory, or a workspace that is just being made, has nothing to compare.
        let found = self.diff(task, DiffScope::Uncommitted, limits).await.ok()?;
        let more = found.diff.files.len() >= MOST_FILES;
        Some((found.diff.files, more))
    }
}

impl Said {
    fn take(&mut self, body: Body) {
        match body {
            Body::Assistant { text, .. }
            | Body::Stdout { text, .. }
            | Body::Stderr { text, .. } => {
                self.lines.push(text);
            }
            Body::ToolCall { name, .. } => self.tool = Some(name),
            Body::ToolResult { .. } => self.tool = None,
            Body::Usage { usage, adds } => {
                let before = self.usage.filter(|_| adds).unwrap_or_default();
                self.usage = Some(before.plus(usage));
            }
            Body::Thinking { .. } | Body::Session { .. } | Body::Status { .. } => {}
        }
    }
}

/// The end of a log, from the beginning of a line.
fn read_tail(log: &Path) -> std::io::Result<String> {
    use std::io::{Read, Seek, SeekFrom};
    let mut file = std::fs::File::open(log)?;
    let length = file.metadata()?.len();
    let from = length.saturating_sub(TAIL);
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let whole =
        if from > 0 { text.split_once('\n').map(|(_, rest)| rest.to_owned()) } else { None };
    Ok(whole.unwrap_or(text))
}

fn end_of(text: &str) -> String {
    let start = text.len().saturating_sub(LAST_OUTPUT);
    let start = (start..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.get(start..).unwrap_or_default().to_owned()
}
