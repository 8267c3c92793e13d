//! Numbers the events and keeps what the summary needs of them.

use super::event::{Body, Event, Usage};
use super::summary::TurnSummary;
use crate::adapter::Adapter;
use crate::failure::Complaint;
use crate::verdict::read_verdict;
use crate::word::Word;
use forge_domain::{Ending, Timestamp};
use uuid::Uuid;

/// How much of an answer is kept: the end, where verdicts stand.
const KEPT: usize = 256 * 1024;
/// The same of what was printed besides, which every run does at once.
const PRINTED: usize = 64 * 1024;
const REPORTS: usize = 16;

#[derive(Debug, Default)]
pub(super) struct Collector {
    seq: u64,
    session: Option<Word>,
    usage: Usage,
    answer: String,
    /// The next partial words belong to this answer.
    open: bool,
    declared: Option<String>,
    complaint: Complaint,
    steered: Vec<Uuid>,
}

impl Collector {
    /// Takes an event into the summary and hands it on.
    pub(super) fn emit(&mut self, body: Body, sink: &mut dyn FnMut(Event)) {
        match &body {
            Body::Assistant { text, partial } => {
                if !(*partial && self.open) {
                    self.answer.clear();
                }
                append(&mut self.answer, text, KEPT);
                self.open = true;
            }
            Body::ToolCall { .. } | Body::ToolResult { .. } => self.open = false,
            Body::Stdout { text, .. } | Body::Stderr { text, .. } => {
                append(&mut self.complaint.printed, text, PRINTED);
                self.complaint.printed.push('\n');
            }
            Body::Usage { usage, adds: true } => self.usage = self.usage.plus(*usage),
            Body::Usage { usage, adds: false } => self.usage = *usage,
            // An id that could be taken for an option is no use to anyone.
            Body::Session { id } => {
                self.session = Word::new(id.as_str()).ok().or(self.session.take())
            }
            Body::Status { .. } => {
                self.steered.extend(body.steered_id());
                if let Some(text) = body.error_text() {
                    self.report(text.to_owned());
                }
            }
            Body::Thinking { .. } => {}
        }
        self.seq += 1;
        sink(Event { seq: self.seq, body });
    }

    /// The program said what its answer is.
    pub(super) fn declare(&mut self, answer: &str) {
        self.declared = Some(tail(answer, KEPT).to_owned());
    }

    /// The program said that the turn failed.
    pub(super) fn fail(&mut self) {
        self.complaint.failed = true;
    }

    /// The program said that its allowance is used up.
    pub(super) fn limit(&mut self, resets_at: Option<Timestamp>) {
        self.complaint.limited = Some(resets_at);
    }

    pub(super) fn summary(self, adapter: &Adapter, ending: Ending, now: Timestamp) -> TurnSummary {
        let failure = self.complaint.judge(&adapter.errors, ending, now);
        let spoken = self.declared.filter(|text| !text.trim().is_empty());
        let answer = (!self.answer.trim().is_empty()).then_some(self.answer);
        let final_text = spoken.or(answer).unwrap_or(self.complaint.printed);
        let verdict = read_verdict(&final_text);
        TurnSummary {
            session: self.session,
            usage: self.usage,
            usage_of_session: adapter.usage_of_session,
            final_text,
            verdict,
            failure,
            steered: self.steered,
            events: self.seq,
        }
    }

    fn report(&mut self, text: String) {
        let reported = &mut self.complaint.reported;
        if reported.len() == REPORTS {
            reported.remove(0);
        }
        reported.push(text);
    }
}

fn append(kept: &mut String, text: &str, most: usize) {
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
