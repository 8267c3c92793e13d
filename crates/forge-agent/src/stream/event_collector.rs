//! Numbers the events and collects the summary.

use crate::adapter::agent_adapter::AgentAdapter;
use crate::adapter::safe_argument::SafeArgument;
use crate::stream::execution_summary::ExecutionSummary;
use crate::stream::failure_report::FailureReport;
use crate::stream::transcript_event::{ReportedUsage, TranscriptEvent, TranscriptEventBody};
use crate::stream::verdict::read_verdict;
use forge_domain::{ExecutionEnding, RefusedTool, Timestamp};
use serde_json::Value;
use std::collections::{HashSet, VecDeque};
use uuid::Uuid;

/// How much of an answer is kept: its end, which contains the verdict.
const KEPT_ANSWER_BYTES: usize = 256 * 1024;
/// The same for other output, which every execution holds in memory at once.
const KEPT_OUTPUT_BYTES: usize = 64 * 1024;
const KEPT_ERRORS: usize = 16;
/// How many refused tools are listed.
const KEPT_REFUSALS: usize = 20;
/// How many calls are remembered in case they are refused.
const KEPT_CALLS: usize = 64;

#[derive(Debug, Default)]
pub(crate) struct EventCollector {
    seq: u64,
    session: Option<SafeArgument>,
    usage: ReportedUsage,
    answer: String,
    /// Whether the next partial text continues the current answer.
    open: bool,
    declared: Option<String>,
    failure_report: FailureReport,
    steered: Vec<Uuid>,
    refused: Vec<RefusedTool>,
    refused_ids: HashSet<String>,
    calls: VecDeque<(String, String, Value)>,
}

impl EventCollector {
    /// Adds an event to the summary and passes it on.
    pub(crate) fn emit(
        &mut self,
        body: TranscriptEventBody,
        sink: &mut dyn FnMut(TranscriptEvent),
    ) {
        match &body {
            TranscriptEventBody::Assistant { text, partial } => {
                if !(*partial && self.open) {
                    self.answer.clear();
                }
                append_tail(&mut self.answer, text, KEPT_ANSWER_BYTES);
                self.open = true;
            }
            TranscriptEventBody::ToolCall { id, name, input } => {
                self.open = false;
                if let Some(id) = id {
                    self.calls.truncate(KEPT_CALLS - 1);
                    self.calls.push_front((id.clone(), name.clone(), input.clone()));
                }
            }
            TranscriptEventBody::ToolResult { .. } => self.open = false,
            TranscriptEventBody::Stdout { text, .. } | TranscriptEventBody::Stderr { text, .. } => {
                append_tail(&mut self.failure_report.printed, text, KEPT_OUTPUT_BYTES);
                self.failure_report.printed.push('\n');
            }
            TranscriptEventBody::Usage { usage, adds: true } => {
                self.usage = self.usage.plus(*usage)
            }
            TranscriptEventBody::Usage { usage, adds: false } => self.usage = *usage,
            // A session id that looks like an option cannot be used.
            TranscriptEventBody::Session { id } => {
                self.session = SafeArgument::new(id.as_str()).ok().or(self.session.take())
            }
            TranscriptEventBody::Status { .. } => {
                self.steered.extend(body.steered_id());
                if self.refused.len() < KEPT_REFUSALS {
                    self.refused.extend(body.refused_tool());
                }
                if let Some(text) = body.error_text() {
                    self.add_error(text.to_owned());
                }
            }
            TranscriptEventBody::Thinking { .. } => {}
        }
        self.seq += 1;
        sink(TranscriptEvent { seq: self.seq, body });
    }

    /// The policy refused a tool; a call that is reported twice counts once.
    pub(crate) fn record_refusal(
        &mut self,
        id: Option<&str>,
        name: Option<&str>,
        input: &Value,
        reason: &str,
        sink: &mut dyn FnMut(TranscriptEvent),
    ) {
        if id.is_some_and(|id| !self.refused_ids.insert(id.to_owned())) {
            return;
        }
        let call = self.calls.iter().find(|(known, ..)| Some(known.as_str()) == id);
        let name = name.or(call.map(|(_, name, _)| name.as_str())).unwrap_or("tool");
        let input = match (input, call) {
            (Value::Null, Some((_, _, known))) => known,
            (input, _) => input,
        };
        let body = TranscriptEventBody::refused(id, name, input, reason);
        self.emit(body, sink);
    }

    /// Sets the answer that the program declared.
    pub(crate) fn set_answer(&mut self, answer: &str) {
        self.declared = Some(tail(answer, KEPT_ANSWER_BYTES).to_owned());
    }

    /// The program reported that the execution failed.
    pub(crate) fn set_failed(&mut self) {
        self.failure_report.failed = true;
    }

    /// The program reported that its quota is used up.
    pub(crate) fn set_quota_limit(&mut self, resets_at: Option<Timestamp>) {
        self.failure_report.limited = Some(resets_at);
    }

    pub(crate) fn into_summary(
        self,
        adapter: &AgentAdapter,
        ending: ExecutionEnding,
        now: Timestamp,
    ) -> ExecutionSummary {
        let failure = self.failure_report.classify(&adapter.errors, ending, now);
        let spoken = self.declared.filter(|text| !text.trim().is_empty());
        let answer = (!self.answer.trim().is_empty()).then_some(self.answer);
        let final_text = spoken.or(answer).unwrap_or(self.failure_report.printed);
        let verdict = read_verdict(&final_text);
        ExecutionSummary {
            session: self.session,
            usage: self.usage,
            usage_of_session: adapter.usage_of_session,
            cost_of_session: adapter.cost_of_session,
            final_text,
            verdict,
            failure,
            steered: self.steered,
            refused: self.refused,
            events: self.seq,
        }
    }

    fn add_error(&mut self, text: String) {
        let reported = &mut self.failure_report.reported;
        if reported.len() == KEPT_ERRORS {
            reported.remove(0);
        }
        reported.push(text);
    }
}

fn append_tail(kept: &mut String, text: &str, most: usize) {
    kept.push_str(tail(text, most));
    if kept.len() > 2 * most {
        *kept = tail(kept, most).to_owned();
    }
}

fn tail(text: &str, most: usize) -> &str {
    let mut start = text.len().saturating_sub(most);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.get(start..).unwrap_or_default()
}
