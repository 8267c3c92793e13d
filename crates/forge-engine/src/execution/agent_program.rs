//! The agent program of an execution: builds its invocation, starts it, and reads its output (E-1, E-3, E-4).

use crate::command::errors::EngineError;
use crate::effects::process_registry::ProcessGuard;
use crate::effects::{EffectContext, EffectError, GRACE, process_mark};
use crate::execution::execution_env::ExecutionEnv;
use crate::execution::executions::Executions;
use crate::execution::observed_outcome::ObservedOutcome;
use crate::execution::transcript::TranscriptWriter;
use crate::recovery::restart_policy::RestartPolicy;
use crate::recovery::shutdown_signals::ShutdownSignals;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use forge_agent::{
    AgentAdapter, AgentLaunch, AgentPrompt, ExecutorConfig, LaunchSettings, SafeArgument,
    SecretRedactor, secret_values,
};
use forge_domain::task::{AnnotationType, TaskExecution};
use forge_domain::{EffectReport, ExecutionEnding, ExecutionId, ProcessRecord};
use forge_proc::{ExpectedWorkdir, ProcessIdentity, SupervisedProcess, WorkdirError};
use forge_store::tables;
use sha2::{Digest, Sha256};
use std::ffi::OsString;

/// Prefix of every bearer token of Forge.
const TOKEN_PREFIX: &str = "fg_";

/// Parses and redacts a program's output.
pub(crate) struct OutputDecoder {
    pub(crate) adapter: &'static AgentAdapter,
    pub(crate) redactor: SecretRedactor,
}

/// An agent program that is ready to start.
pub(crate) struct AgentProgram {
    turn: AgentLaunch,
    decoder: OutputDecoder,
}

impl Executions {
    /// Builds the invocation of the agent.
    pub(crate) async fn build_program(
        &self,
        effect: &EffectContext,
        run: &TaskExecution,
        env: ExecutionEnv,
    ) -> Result<AgentProgram, EffectError> {
        let executor = self.executor_of(effect, run).await?;
        let prompt = match &run.follow_up {
            Some(follow_up) => AgentPrompt::follow_up(&follow_up.message),
            None => self.prompts.build_prompt(&effect.task, &run.role, run.purpose).await?,
        };
        let prompt_file = self.home.prompt(run.execution.uuid());
        tokio::fs::write(&prompt_file, prompt.as_str()).await?;
        if executor.adapter().accepts_messages() {
            self.open_controls(run.execution).await?;
        }
        let token = self.issue_token(run.execution).await?;
        let ExecutionEnv { directory, mut variables } =
            self.envs.add_agent_variables(env, run.execution).with_variable("FORGE_TOKEN", token);
        // Insert first, so that variables of the project and of Forge take precedence.
        variables.splice(0..0, self.environment.passed_variables(executor.passed_variables()));
        let reading = output_decoder(&executor, &variables);
        let place = LaunchSettings {
            directory: &directory,
            prompt_file: &prompt_file,
            log: self.home.log(run.execution.uuid()),
            log_cap: self.log_bytes,
            mark: process_mark(run.execution.uuid())?,
            // Also with restart policy `end`: only adoptable programs leave an exit record.
            adoptable: true,
            environment: variables,
        };
        let turn = match &run.follow_up {
            Some(follow_up) => {
                let session = SafeArgument::new(&follow_up.session).map_err(start_failed)?;
                AgentLaunch::resume(&executor, &session, &prompt, place).map_err(start_failed)?
            }
            None => AgentLaunch::new(&executor, &prompt, place),
        };
        Ok(AgentProgram { turn, decoder: reading })
    }

    /// Builds the output decoder from the agent's current settings.
    pub(crate) async fn load_output_decoder(
        &self,
        effect: &EffectContext,
    ) -> Result<OutputDecoder, EffectError> {
        let executor = self.executor(effect).await?;
        let own = effect.setup()?.env.iter();
        let own = own.map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let inherited = &self.environment;
        let passed = inherited.passed_variables(executor.passed_variables());
        let variables: Vec<_> = inherited.vars().chain(passed).chain(own).collect();
        Ok(output_decoder(&executor, &variables))
    }

    /// The settings of the agent's program, with the overrides of the execution's claim (T-3).
    pub(crate) async fn executor_of(
        &self,
        effect: &EffectContext,
        run: &TaskExecution,
    ) -> Result<ExecutorConfig, EffectError> {
        let own = self.executor(effect).await?;
        own.with_overrides(&run.overrides).map_err(start_failed)
    }

    /// How the end of a program counts for its task. The deadline of a claim is an ending of its own.
    pub(crate) async fn execution_ending(
        &self,
        effect: &EffectContext,
        run: &TaskExecution,
        ending: forge_proc::ProcessEnding,
    ) -> ExecutionEnding {
        let ending = to_domain_ending(ending);
        if ending == ExecutionEnding::TimedOut && run.overrides.deadline_seconds.is_some() {
            // Without the agent's settings only the deadline is known.
            let executor = self.executor_of(effect, run).await;
            if executor.map_or(true, |executor| executor.is_limited_by_deadline()) {
                return ExecutionEnding::DeadlineReached;
            }
        }
        ending
    }

    async fn executor(&self, effect: &EffectContext) -> Result<ExecutorConfig, EffectError> {
        let agent = effect.load_agent().await?;
        ExecutorConfig::from_json(&agent.executor).map_err(start_failed)
    }

    /// Starts the program, writes its transcript, and waits for its end.
    pub(crate) async fn run_program(
        &self,
        effect: &EffectContext,
        run: &TaskExecution,
        program: AgentProgram,
        site: &ExpectedWorkdir,
        guard: &ProcessGuard,
    ) -> Result<ObservedOutcome, EffectError> {
        let AgentProgram { turn, decoder: OutputDecoder { adapter, redactor } } = program;
        let files = self.home.log_files(run.execution.uuid());
        // Open before the program starts, so that its output is never visible with secrets.
        let writer = TranscriptWriter::open(files, adapter, redactor)?;
        let running = match self.start_program(effect, run.execution, turn, site).await {
            Err(failure @ EffectError::NeedsPerson { .. }) => {
                self.compress_transcript(run).await;
                return Err(failure);
            }
            started => started?,
        };
        self.supervise(effect, run, writer, running, guard).await
    }

    /// Writes the transcript of a running program, and waits for its end.
    pub(crate) async fn supervise(
        &self,
        effect: &EffectContext,
        run: &TaskExecution,
        writer: TranscriptWriter,
        running: SupervisedProcess,
        guard: &ProcessGuard,
    ) -> Result<ObservedOutcome, EffectError> {
        let ShutdownSignals { detach: leave, end, .. } = &self.signals;
        let writing = writer.follow(running.watch_log_size(), guard.written.clone());
        let stop = guard.stop.child_token();
        let mut waiting = Box::pin(running.wait_or_release(&stop, leave));
        let ended = tokio::select! {
            ended = &mut waiting => ended,
            () = end.cancelled() => {
                stop.cancel();
                waiting.await
            }
        };
        let Some(ended) = ended else { return Err(EffectError::LeaseLost) };
        let ending = match ended.ending {
            // The server ended it, so it starts again later.
            Some(forge_proc::ProcessEnding::Stopped) if !guard.stop.is_cancelled() => {
                ExecutionEnding::Lost
            }
            Some(ending) => self.execution_ending(effect, run, ending).await,
            None => ExecutionEnding::Lost,
        };
        let writer = writing.finish().await?;
        let summary = writer.finish(ending, self.clock.now()).await?;
        self.observe_outcome(effect, run, ending, summary).await
    }

    /// Starts the program, verifies its working directory, and reports the start.
    async fn start_program(
        &self,
        effect: &EffectContext,
        execution: ExecutionId,
        turn: AgentLaunch,
        site: &ExpectedWorkdir,
    ) -> Result<SupervisedProcess, EffectError> {
        effect.pass_fault_point("turn.begun").await?;
        site.verify_git().map_err(|astray| EffectError::workspace(astray.to_string()))?;
        let running = forge_proc::spawn(turn.0).await.map_err(start_failed)?;
        // Later changes to the directory are the program's own, and are found at its end.
        if let Err(astray @ (WorkdirError::Directory { .. } | WorkdirError::GitRedirected { .. })) =
            running.verify(site)
        {
            drop(running);
            forge_proc::end_marked_processes(&process_mark(execution.uuid())?, GRACE).await?;
            return Err(EffectError::workspace(astray.to_string()));
        }
        effect.pass_fault_point("turn.spawned").await?;
        let process = process_record(running.identity());
        let started = EffectReport::RunStarted { execution, process };
        let told = effect.report_progress(started).await;
        match told.map_err(EffectError::from) {
            Ok(()) => Ok(running),
            Err(failure @ EffectError::Transient(_))
                if self.restart_policy == RestartPolicy::Adopt =>
            {
                // The database is unavailable. The program continues; the next attempt adopts it.
                running.release().await;
                Err(failure)
            }
            Err(failure) => Err(failure),
        }
    }

    /// Issues an execution's token and replaces an earlier one.
    pub(crate) async fn issue_token(&self, execution: ExecutionId) -> Result<String, EngineError> {
        let mut bytes = [0_u8; 32];
        getrandom::fill(&mut bytes).map_err(|error| {
            EngineError::Corrupt(format!("the operating system gave no random bytes: {error}"))
        })?;
        let token = format!("{TOKEN_PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes));
        let hash = URL_SAFE_NO_PAD.encode(Sha256::digest(&token));
        let write = self.db.write(move |tx| {
            let hash = hash.clone();
            Box::pin(async move { tables::execution_tokens::put(tx, execution, &hash).await })
        });
        write.await?;
        Ok(token)
    }
}

/// Redacts known secret values, besides strings that look like tokens.
fn output_decoder(executor: &ExecutorConfig, variables: &[(OsString, OsString)]) -> OutputDecoder {
    let own = executor.environment().map(|(name, value)| (name.into(), value.into()));
    let own: Vec<(OsString, OsString)> = own.collect();
    let secrets = secret_values(variables.iter().chain(&own));
    OutputDecoder { adapter: executor.adapter(), redactor: SecretRedactor::new(secrets) }
}

fn start_failed(error: impl std::error::Error) -> EffectError {
    EffectError::for_person(AnnotationType::ExecutionFailed, error.to_string())
}

pub(crate) fn process_record(identity: &ProcessIdentity) -> ProcessRecord {
    ProcessRecord {
        pid: i32::try_from(identity.pid).unwrap_or(0),
        start_ticks: identity.start_ticks,
        boot_id: identity.boot_id.clone(),
    }
}

/// Converts a process ending into the domain type.
fn to_domain_ending(ending: forge_proc::ProcessEnding) -> ExecutionEnding {
    match ending {
        forge_proc::ProcessEnding::Exited(code) => ExecutionEnding::Exited { code },
        forge_proc::ProcessEnding::Signalled(signal) => ExecutionEnding::Signalled { signal },
        forge_proc::ProcessEnding::TimedOut => ExecutionEnding::TimedOut,
        forge_proc::ProcessEnding::Stopped => ExecutionEnding::Stopped,
    }
}

/// The last part of an output, which is stored in the database.
pub(crate) fn last_lines(output: &str) -> String {
    const KEPT: usize = 4096;
    let mut start = output.len().saturating_sub(KEPT);
    while !output.is_char_boundary(start) {
        start += 1;
    }
    output.get(start..).unwrap_or_default().to_owned()
}
