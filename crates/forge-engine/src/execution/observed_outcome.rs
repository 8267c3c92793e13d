//! The outcome of an execution once none of its processes runs.

use crate::effects::{EffectContext, EffectError};
use crate::execution::agent_program::{OutputDecoder, last_lines};
use crate::execution::executions::Executions;
use crate::execution::transcript::TranscriptWriter;
use forge_agent::{ExecutionSummary, ReportedUsage};
use forge_domain::task::{ExecutionPurpose, TaskExecution};
use forge_domain::{AgentReport, ExecutionEnding, ExecutionResult, TokenUsage, Verdict};
use forge_store::tables;
use serde::{Deserialize, Serialize};

/// How an execution ended and what its program printed; journalled.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ObservedOutcome {
    pub(crate) ending: ExecutionEnding,
    verdict: Option<Verdict>,
    told: AgentReport,
    tail: String,
}

impl ObservedOutcome {
    /// An outcome with an ending only.
    pub(crate) fn ending_only(ending: ExecutionEnding) -> Self {
        Self { ending, verdict: None, told: AgentReport::default(), tail: String::new() }
    }

    /// Converts the outcome into a result, with the state of the branch.
    pub(crate) fn result(
        self,
        run: &TaskExecution,
        head: Option<String>,
        changed: bool,
    ) -> ExecutionResult {
        let Self { ending, verdict, told, tail } = self;
        let verdict = verdict.filter(|_| run.purpose == ExecutionPurpose::Judge);
        ExecutionResult { ending, base: None, head, changed, verdict, tail, told }
    }
}

impl Executions {
    /// Builds the outcome from the parsed summary. If the program counts usage per session, earlier executions are
    /// subtracted.
    pub(crate) async fn observe_outcome(
        &self,
        effect: &EffectContext,
        run: &TaskExecution,
        ending: ExecutionEnding,
        summary: ExecutionSummary,
    ) -> Result<ObservedOutcome, EffectError> {
        let session = summary.session.map(String::from);
        let mut usage = summary.usage;
        let counts_session = summary.usage_of_session || summary.cost_of_session;
        if let (true, Some(session), Some(_)) = (counts_session, &session, &run.follow_up) {
            let earlier = tables::usage::of_session(&self.db, effect.task.id, session).await?;
            let earlier = to_usage(earlier.usage);
            usage = match summary.usage_of_session {
                true => usage.since(earlier),
                false => usage.cost_since(earlier),
            };
        }
        let ExecutionSummary { failure, steered, refused, .. } = summary;
        let told = AgentReport { session, usage: to_token_usage(usage), failure, steered, refused };
        let tail = last_lines(&summary.final_text);
        Ok(ObservedOutcome { ending, verdict: summary.verdict, told, tail })
    }

    /// Builds the outcome of an execution whose end no server saw, from its output file.
    pub(crate) async fn observe_past_outcome(
        &self,
        effect: &EffectContext,
        run: &TaskExecution,
        ending: ExecutionEnding,
    ) -> Result<ObservedOutcome, EffectError> {
        let files = self.home.log_files(run.execution.uuid());
        if files.is_packed() || !files.output.exists() {
            return Ok(ObservedOutcome::ending_only(ending));
        }
        let Ok(OutputDecoder { adapter, redactor }) = self.load_output_decoder(effect).await else {
            // Without the agent's settings the output cannot be parsed; it stays as it is and is not shown.
            return Ok(ObservedOutcome::ending_only(ending));
        };
        let writer = TranscriptWriter::open(files, adapter, redactor)?;
        let summary = writer.finish(ending, self.clock.now()).await?;
        self.observe_outcome(effect, run, ending, summary).await
    }

    /// Compresses the transcript, which is complete now.
    pub(crate) async fn compress_transcript(&self, run: &TaskExecution) {
        let files = self.home.log_files(run.execution.uuid());
        if let Err(error) = forge_proc::run_on_log_worker(move || files.compress()).await.flatten()
        {
            tracing::warn!(%error, execution = %run.execution, "could not compress a transcript");
        }
    }
}

fn to_token_usage(usage: ReportedUsage) -> Option<TokenUsage> {
    if usage == ReportedUsage::default() {
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

fn to_usage(usage: TokenUsage) -> ReportedUsage {
    #[expect(clippy::cast_precision_loss, reason = "no bill is that exact")]
    let dollars = |micro: u64| micro as f64 / 1e6;
    ReportedUsage {
        input_tokens: usage.input_tokens,
        cached_tokens: usage.cached_tokens,
        output_tokens: usage.output_tokens,
        cost_usd: usage.cost_micro_usd.map(dollars),
    }
}
