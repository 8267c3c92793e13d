//! The agent program of an execution: builds its invocation, starts it, and reads its output (E-1, E-3, E-4).

use crate::command::commit::EffectEnd;
use crate::effects::EffectError;
use crate::effects::effect_run::{EffectRun, GRACE, load_agent, process_mark};
use crate::effects::process_registry::ProcessGuard;
use crate::execution::execution_env::ExecutionEnv;
use crate::execution::observed_outcome::ObservedOutcome;
use crate::execution::transcript::TranscriptWriter;
use crate::recovery::restart_policy::RestartPolicy;
use crate::recovery::shutdown_signals::ShutdownSignals;
use forge_agent::{
    AgentAdapter, AgentLaunch, AgentPrompt, ExecutorConfig, LaunchSettings, SafeArgument,
    SecretRedactor, secret_values,
};
use forge_domain::task::{AnnotationType, TaskActivity, TaskExecution};
use forge_domain::{EffectReport, ExecutionEnding, ExecutionId, ProcessRecord};
use forge_proc::{ExpectedWorkdir, ProcessIdentity, SupervisedProcess, WorkdirError};
use std::ffi::OsString;

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

impl EffectRun<'_> {
    /// Builds the invocation of the agent.
    pub(crate) async fn build_program(
        &self,
        run: &TaskExecution,
        surroundings: ExecutionEnv,
    ) -> Result<AgentProgram, EffectError> {
        let executor = self.executor().await?;
        let prompt = match &run.follow_up {
            Some(follow_up) => AgentPrompt::follow_up(&follow_up.message),
            None => self.engine.build_prompt(&self.task, &run.role, run.purpose).await?,
        };
        let inner = &self.engine.0;
        let prompt_file = inner.home.prompt(run.execution.uuid());
        tokio::fs::write(&prompt_file, prompt.as_str()).await?;
        if executor.adapter().accepts_messages() {
            self.open_controls(run.execution).await?;
        }
        let token = self.engine.issue_token(run.execution).await?;
        let ExecutionEnv { directory, mut variables } = self
            .add_agent_variables(surroundings, run.execution)
            .with_variable("FORGE_TOKEN", token);
        // Insert first, so that variables of the project and of Forge take precedence.
        variables.splice(0..0, inner.environment.passed_variables(executor.passed_variables()));
        let reading = output_decoder(&executor, &variables);
        let place = LaunchSettings {
            directory: &directory,
            prompt_file: &prompt_file,
            log: inner.home.log(run.execution.uuid()),
            log_cap: inner.limits.log_bytes,
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
    pub(crate) async fn load_output_decoder(&self) -> Result<OutputDecoder, EffectError> {
        let executor = self.executor().await?;
        let own = self.setup()?.env.into_iter();
        let own = own.map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let inherited = &self.engine.0.environment;
        let passed = inherited.passed_variables(executor.passed_variables());
        let variables: Vec<_> = inherited.vars().chain(passed).chain(own).collect();
        Ok(output_decoder(&executor, &variables))
    }

    pub(crate) async fn executor(&self) -> Result<ExecutorConfig, EffectError> {
        let agent = load_agent(self).await?;
        ExecutorConfig::from_json(&agent.executor).map_err(start_failed)
    }

    /// Whether the task no longer wants this execution.
    pub(crate) async fn must_stop(&self, execution: ExecutionId) -> Result<bool, EffectError> {
        let now = self.reload().await?;
        let ours = now.run.is_some_and(|run| run.execution == execution);
        Ok(!ours || matches!(now.activity, Some(TaskActivity::Stopping { .. })))
    }

    /// Starts the program, writes its transcript, and waits for its end.
    pub(crate) async fn run_program(
        &self,
        run: &TaskExecution,
        program: AgentProgram,
        site: &ExpectedWorkdir,
        guard: &ProcessGuard,
    ) -> Result<ObservedOutcome, EffectError> {
        let AgentProgram { turn, decoder: OutputDecoder { adapter, redactor } } = program;
        let files = self.engine.0.home.log_files(run.execution.uuid());
        // Open before the program starts, so that its output is never visible with secrets.
        let writer = TranscriptWriter::open(files, adapter, redactor)?;
        let running = match self.start_program(run.execution, turn, site).await {
            Err(failure @ EffectError::NeedsPerson { .. }) => {
                self.compress_transcript(run).await;
                return Err(failure);
            }
            started => started?,
        };
        self.supervise(run, writer, running, guard).await
    }

    /// Writes the transcript of a running program, and waits for its end.
    pub(crate) async fn supervise(
        &self,
        run: &TaskExecution,
        writer: TranscriptWriter,
        running: SupervisedProcess,
        guard: &ProcessGuard,
    ) -> Result<ObservedOutcome, EffectError> {
        let ShutdownSignals { detach: leave, end, .. } = &self.engine.0.shutdown;
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
            Some(ending) => to_domain_ending(ending),
            None => ExecutionEnding::Lost,
        };
        let writer = writing.finish().await?;
        let summary = writer.finish(ending, self.engine.now()).await?;
        self.observe_outcome(run, ending, summary).await
    }

    /// Starts the program, verifies its working directory, and reports the start.
    async fn start_program(
        &self,
        execution: ExecutionId,
        turn: AgentLaunch,
        site: &ExpectedWorkdir,
    ) -> Result<SupervisedProcess, EffectError> {
        self.pass_fault_point("turn.begun").await?;
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
        self.pass_fault_point("turn.spawned").await?;
        let process = process_record(running.identity());
        let started = EffectReport::RunStarted { execution, process };
        let told = self.engine.report(self.row, self.lease, started, EffectEnd::NotYet).await;
        match told.map_err(EffectError::from) {
            Ok(()) => Ok(running),
            Err(failure @ EffectError::Transient(_))
                if self.engine.0.limits.restart_policy == RestartPolicy::Adopt =>
            {
                // The database is unavailable. The program continues; the next attempt adopts it.
                running.release().await;
                Err(failure)
            }
            Err(failure) => Err(failure),
        }
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
pub(crate) fn to_domain_ending(ending: forge_proc::ProcessEnding) -> ExecutionEnding {
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
