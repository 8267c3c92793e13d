//! What was seen of a turn when nothing of it runs any more.

use super::Failure;
use super::perform::Step;
use super::program::{Reading, last_lines};
use crate::transcript::Scribe;
use forge_agent::{TurnSummary, Usage};
use forge_domain::task::{Purpose, Run};
use forge_domain::{Ending, RunResult, TokenUsage, Told, Verdict};
use forge_store::tables;
use serde::{Deserialize, Serialize};

/// How a turn ended and what came out of its program, as it is journalled.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Seen {
    pub(super) ending: Ending,
    verdict: Option<Verdict>,
    told: Told,
    tail: String,
}

impl Seen {
    /// A turn of which nothing was seen but its end.
    pub(super) fn bare(ending: Ending) -> Self {
        Self { ending, verdict: None, told: Told::default(), tail: String::new() }
    }

    /// The result, with what is known of the branch.
    pub(super) fn result(self, run: &Run, head: Option<String>, changed: bool) -> RunResult {
        let Self { ending, verdict, told, tail } = self;
        let verdict = verdict.filter(|_| run.purpose == Purpose::Judge);
        RunResult { ending, base: None, head, changed, verdict, tail, told }
    }
}

impl Step<'_> {
    /// What a turn's summary means here.
    pub(super) async fn seen(
        &self,
        run: &Run,
        ending: Ending,
        summary: TurnSummary,
    ) -> Result<Seen, Failure> {
        let session = summary.session.map(String::from);
        let mut usage = summary.usage;
        if let (true, Some(session), Some(_)) = (summary.usage_of_session, &session, &run.follow_up)
        {
            let earlier =
                tables::usage::of_session(self.engine.db(), self.task.id, session).await?;
            usage = usage.since(counted(earlier.usage));
        }
        let (failure, steered) = (summary.failure, summary.steered);
        let told = Told { session, usage: recorded(usage), failure, steered };
        let tail = last_lines(&summary.final_text);
        Ok(Seen { ending, verdict: summary.verdict, told, tail })
    }

    /// What is left of a turn that nobody saw end: its output is still there, so its log can be made.
    pub(super) async fn seen_afterwards(&self, run: &Run, ending: Ending) -> Result<Seen, Failure> {
        let files = self.engine.0.home.log_files(run.execution.uuid());
        if files.is_packed() || !files.output.exists() {
            return Ok(Seen::bare(ending));
        }
        let Ok(Reading { adapter, redactor }) = self.reading().await else {
            // Without its agent nobody knows how to read it; it stays as it came, and is shown to nobody.
            return Ok(Seen::bare(ending));
        };
        let scribe = Scribe::open(files, adapter, redactor)?;
        let summary = scribe.finish(ending, self.engine.now()).await?;
        self.seen(run, ending, summary).await
    }

    /// The log is complete: it is kept compressed from now on.
    pub(super) async fn pack_log(&self, run: &Run) {
        let files = self.engine.0.home.log_files(run.execution.uuid());
        if let Err(error) = forge_proc::at_a_desk(move || files.pack()).await.flatten() {
            tracing::warn!(%error, execution = %run.execution, "a log could not be compressed");
        }
    }
}

fn recorded(usage: Usage) -> Option<TokenUsage> {
    if usage == Usage::default() {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "floats saturate, and a negative cost is none"
    )]
    let micro = |dollars: f64| (dollars * 1e6).round() as u64;
    Some(TokenUsage {
        input_tokens: usage.input_tokens,
        cached_tokens: usage.cached_tokens,
        output_tokens: usage.output_tokens,
        cost_micro_usd: usage.cost_usd.map(micro),
    })
}

fn counted(usage: TokenUsage) -> Usage {
    #[expect(clippy::cast_precision_loss, reason = "no bill is that exact")]
    let dollars = |micro: u64| micro as f64 / 1e6;
    Usage {
        input_tokens: usage.input_tokens,
        cached_tokens: usage.cached_tokens,
        output_tokens: usage.output_tokens,
        cost_usd: usage.cost_micro_usd.map(dollars),
    }
}
