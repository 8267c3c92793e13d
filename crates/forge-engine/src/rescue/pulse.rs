//! How one run is doing.

use crate::engine::Engine;
use crate::errors::EngineError;
use crate::signs::{Footprint, printed};
use forge_agent::{Body, Executor, Parser, Source, Usage};
use forge_domain::Timestamp;
use forge_domain::task::{AnnotationType, Snapshot};
use forge_git::{DiffLimits, DiffScope, FileDiff};
use forge_store::tables::executions::Execution;
use std::path::PathBuf;

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
        let host = self.host_of(task).await?;
        let place = host.workspace.as_ref().filter(|_| own).map(|at| PathBuf::from(&at.path));
        let looked = tokio::task::spawn_blocking(move || {
            let (_, output_at) = printed(&log);
            let changed_at = place.and_then(|place| Footprint::of(&place).newest());
            (output_at, changed_at)
        });
        let (output_at, changed_at) = looked.await.unwrap_or_default();
        let size = self.output_size(execution.id).await;
        let tail = self.read_output(execution.id, size.saturating_sub(TAIL), TAIL).await?;
        // What it printed is kept elsewhere once it is over.
        let output_at = output_at.or(execution.finished_at.filter(|_| !tail.is_empty()));
        let said = self.said(execution, &whole_lines(&tail, size > TAIL)).await?;
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

    /// Secrets were taken out when it was written.
    async fn said(&self, execution: &Execution, text: &str) -> Result<Said, EngineError> {
        let executor = match execution.agent_id {
            Some(id) => Executor::from_json(&self.agent(id).await?.executor).ok(),
            None => None,
        };
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
            None => said.lines.push(text.to_owned()),
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
fn whole_lines(tail: &[u8], is_cut: bool) -> String {
    let text = String::from_utf8_lossy(tail).into_owned();
    let whole = if is_cut { text.split_once('\n').map(|(_, rest)| rest.to_owned()) } else { None };
    whole.unwrap_or(text)
}

fn end_of(text: &str) -> String {
    let start = text.len().saturating_sub(LAST_OUTPUT);
    let start = (start..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.get(start..).unwrap_or_default().to_owned()
}
