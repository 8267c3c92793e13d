//! Current activity of one execution.

use crate::command::errors::EngineError;
use crate::execution::file_activity::{FileActivity, output_activity};
use crate::execution::supervision::agents_overview::AgentSupervision;
use forge_agent::{ExecutorConfig, ReportedUsage, StreamParser, StreamSource, TranscriptEventBody};
use forge_domain::Timestamp;
use forge_domain::task::{AnnotationType, TaskSnapshot};
use forge_git::{DiffLimits, DiffScope, FileDiff};
use forge_store::tables::executions::ExecutionRow;
use std::path::PathBuf;

/// How much of a log's end is read.
const TAIL: u64 = 256 * 1024;
const LAST_OUTPUT: usize = 2000;
const MOST_FILES: usize = 100;

/// The current activity of an execution. Secrets are redacted.
#[derive(Debug, Clone)]
pub struct ExecutionActivity {
    /// The last sign of life: output, or a changed file.
    pub last_activity_at: Option<Timestamp>,
    /// Time of the last output.
    pub last_output_at: Option<Timestamp>,
    /// Text of the last output.
    pub last_output: String,
    /// The tool in use, if the program reports it.
    pub current_tool: Option<String>,
    /// Usage so far, if the program reports it.
    pub usage: Option<ReportedUsage>,
    /// The uncommitted files.
    pub files: Vec<FileDiff>,
    /// Whether there are more files than listed.
    pub more_files: bool,
    /// Start of the silence, once it was reported.
    pub stalled_since: Option<Timestamp>,
}

/// What the end of a log contains.
#[derive(Debug, Default)]
struct LogTailSummary {
    lines: Vec<String>,
    tool: Option<String>,
    usage: Option<ReportedUsage>,
}

impl AgentSupervision {
    /// Reads the current activity of a task's execution.
    pub async fn load_execution_activity(
        &self,
        task: &TaskSnapshot,
        execution: &ExecutionRow,
    ) -> Result<ExecutionActivity, EngineError> {
        let log = self.home.log(execution.id.uuid());
        let own = task.run.as_ref().is_some_and(|run| run.execution == execution.id);
        let host = self.records.load_workspace_owner(task).await?;
        let place = host.workspace.as_ref().filter(|_| own).map(|at| PathBuf::from(&at.path));
        let looked = tokio::task::spawn_blocking(move || {
            let (_, output_at) = output_activity(&log);
            let changed_at = place.and_then(|place| FileActivity::scan(&place).newest());
            (output_at, changed_at)
        });
        let (output_at, changed_at) = looked.await.unwrap_or_default();
        let size = self.transcripts.output_size(execution.id).await;
        let tail =
            self.transcripts.read_output(execution.id, size.saturating_sub(TAIL), TAIL).await?;
        // After the end the output is in another file.
        let output_at = output_at.or(execution.finished_at.filter(|_| !tail.is_empty()));
        let said = self.parse_log_tail(execution, &whole_lines(&tail, size > TAIL)).await?;
        let diff = if own { self.uncommitted(task).await } else { None };
        let (files, more_files) = diff.unwrap_or_default();
        let stall = task.annotation.as_ref().filter(|_| own);
        let stall = stall.filter(|trouble| trouble.kind == AnnotationType::Stalled);
        // A file changed before the start was changed by another process.
        let changed_at =
            changed_at.filter(|at| execution.started_at.is_none_or(|began| *at > began));
        Ok(ExecutionActivity {
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

    /// Parses the end of a log. Secrets were redacted when it was written.
    async fn parse_log_tail(
        &self,
        execution: &ExecutionRow,
        text: &str,
    ) -> Result<LogTailSummary, EngineError> {
        let executor = match execution.agent_id {
            Some(id) => ExecutorConfig::from_json(&self.records.agent(id).await?.executor).ok(),
            None => None,
        };
        let mut said = LogTailSummary::default();
        match executor {
            Some(executor) => {
                let mut parser = StreamParser::new(executor.adapter());
                let mut take = |event: forge_agent::TranscriptEvent| said.add_event(event.body);
                parser.feed(StreamSource::Stdout, text.as_bytes(), &mut take);
                // An incomplete last line counts too.
                if !text.ends_with('\n') {
                    parser.feed(StreamSource::Stdout, b"\n", &mut take);
                }
            }
            None => said.lines.push(text.to_owned()),
        }
        Ok(said)
    }

    async fn uncommitted(&self, task: &TaskSnapshot) -> Option<(Vec<FileDiff>, bool)> {
        let limits = DiffLimits { files: MOST_FILES, file_bytes: 0, total_bytes: 0 };
        // A plain directory, or a workspace in creation, has no diff.
        let found = self.views.diff(task, DiffScope::Uncommitted, limits).await.ok()?;
        let more = found.diff.files.len() >= MOST_FILES;
        Some((found.diff.files, more))
    }
}

impl LogTailSummary {
    fn add_event(&mut self, body: TranscriptEventBody) {
        match body {
            TranscriptEventBody::Assistant { text, .. }
            | TranscriptEventBody::Stdout { text, .. }
            | TranscriptEventBody::Stderr { text, .. } => {
                self.lines.push(text);
            }
            TranscriptEventBody::ToolCall { name, .. } => self.tool = Some(name),
            TranscriptEventBody::ToolResult { .. } => self.tool = None,
            TranscriptEventBody::Usage { usage, adds } => {
                let before = self.usage.filter(|_| adds).unwrap_or_default();
                self.usage = Some(before.plus(usage));
            }
            TranscriptEventBody::Thinking { .. }
            | TranscriptEventBody::Session { .. }
            | TranscriptEventBody::Status { .. } => {}
        }
    }
}

/// The end of a log, from the start of a line.
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
