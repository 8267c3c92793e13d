//! The program of an agent's turn: what is started, when it is not, how its start is told and its output read (E-1, E-3,
//! E-4).

use super::Failure;
use super::perform::{GRACE, Step, agent_of, mark_of};
use super::seen::Seen;
use super::surroundings::Surroundings;
use crate::commit::Closing;
use crate::on_restart::OnRestart;
use crate::running::RunGuard;
use crate::transcript::Scribe;
use crate::winding_down::WindingDown;
use forge_agent::{Adapter, Executor, Place, Prompt, Redactor, Turn, Word, secret_values};
use forge_domain::task::{Activity, AnnotationType, Run};
use forge_domain::{Ending, ExecutionId, ProcessRecord, Report};
use forge_proc::{Astray, ProcessIdentity, Running, Site};
use std::ffi::OsString;

/// How a program's output becomes a log.
pub(super) struct Reading {
    pub(super) adapter: &'static Adapter,
    pub(super) redactor: Redactor,
}

/// A turn that is ready to be started.
pub(super) struct Program {
    turn: Turn,
    reading: Reading,
}

impl Step<'_> {
    /// Puts the agent's call together.
    pub(super) async fn program(
        &self,
        run: &Run,
        surroundings: Surroundings,
    ) -> Result<Program, Failure> {
        let executor = self.executor().await?;
        let prompt = match &run.follow_up {
            Some(follow_up) => Prompt::follow_up(&follow_up.message),
            None => self.engine.prompt(&self.task, &run.role, run.purpose).await?,
        };
        let inner = &self.engine.0;
        let prompt_file = inner.home.prompt(run.execution.uuid());
        tokio::fs::write(&prompt_file, prompt.as_str()).await?;
        if executor.adapter().steers() {
            self.open_controls(run.execution).await?;
        }
        let token = self.engine.issue_token(run.execution).await?;
        let Surroundings { directory, variables } =
            self.for_agent(surroundings, run.execution).with("FORGE_TOKEN", token);
        let reading = read_with(&executor, &variables);
        let place = Place {
            directory: &directory,
            prompt_file: &prompt_file,
            log: inner.home.log(run.execution.uuid()),
            log_cap: inner.limits.log_bytes,
            mark: mark_of(run.execution.uuid())?,
            adoptable: inner.limits.on_restart == OnRestart::Adopt,
            environment: variables,
        };
        let turn = match &run.follow_up {
            Some(follow_up) => {
                let session = Word::new(&follow_up.session).map_err(not_started)?;
                Turn::resume(&executor, &session, &prompt, place).map_err(not_started)?
            }
            None => Turn::new(&executor, &prompt, place),
        };
        Ok(Program { turn, reading })
    }

    /// How the output of the run's agent is read, as far as it is still known.
    pub(super) async fn reading(&self) -> Result<Reading, Failure> {
        let executor = self.executor().await?;
        let own = self.setup()?.env.into_iter();
        let own = own.map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let variables: Vec<_> = self.engine.0.environment.vars().chain(own).collect();
        Ok(read_with(&executor, &variables))
    }

    pub(super) async fn executor(&self) -> Result<Executor, Failure> {
        let agent = agent_of(self).await?;
        Executor::from_json(&agent.executor).map_err(not_started)
    }

    /// Whether the task has moved on since this step was taken.
    pub(super) async fn must_stop(&self, execution: ExecutionId) -> Result<bool, Failure> {
        let now = self.reload().await?;
        let ours = now.run.is_some_and(|run| run.execution == execution);
        Ok(!ours || matches!(now.activity, Some(Activity::Stopping { .. })))
    }

    /// Starts the program, writes its log, and waits for its end.
    pub(super) async fn carry_out(
        &self,
        run: &Run,
        program: Program,
        site: &Site,
        guard: &RunGuard,
    ) -> Result<Seen, Failure> {
        let Program { turn, reading: Reading { adapter, redactor } } = program;
        let files = self.engine.0.home.log_files(run.execution.uuid());
        // Before the program begins: what it prints is never to be seen with its secrets.
        let scribe = Scribe::open(files, adapter, redactor)?;
        let running = match self.start(run.execution, turn, site).await {
            Err(failure @ Failure::Final { .. }) => {
                self.pack_log(run).await;
                return Err(failure);
            }
            started => started?,
        };
        self.attend(run, scribe, running, guard).await
    }

    /// Writes the log of a program that runs, and waits for its end.
    pub(super) async fn attend(
        &self,
        run: &Run,
        scribe: Scribe,
        running: Running,
        guard: &RunGuard,
    ) -> Result<Seen, Failure> {
        let WindingDown { leave, end, .. } = &self.engine.0.winding_down;
        let writing = scribe.follow(running.log_grows(), guard.written.clone());
        let stop = guard.stop.child_token();
        let mut waiting = Box::pin(running.wait_or_let_go(&stop, leave));
        let ended = tokio::select! {
            ended = &mut waiting => ended,
            () = end.cancelled() => {
                stop.cancel();
                waiting.await
            }
        };
        let Some(ended) = ended else { return Err(Failure::Overtaken) };
        let ending = match ended.ending {
            // It was the server that ended it, so it is begun again.
            Some(forge_proc::Ending::Stopped) if !guard.stop.is_cancelled() => Ending::Lost,
            Some(ending) => ending_of(ending),
            None => Ending::Lost,
        };
        let scribe = writing.done().await?;
        let summary = scribe.finish(ending, self.engine.now()).await?;
        self.seen(run, ending, summary).await
    }

    /// Starts the program, makes sure that it stands where it should, and says so.
    async fn start(
        &self,
        execution: ExecutionId,
        turn: Turn,
        site: &Site,
    ) -> Result<Running, Failure> {
        self.reach("turn.begun").await?;
        site.verify_place().map_err(|astray| Failure::workspace(astray.to_string()))?;
        let running = forge_proc::spawn(turn.0).await.map_err(not_started)?;
        // What became of the place since is the program's own doing, and is found at its end.
        if let Err(astray @ (Astray::Directory { .. } | Astray::Diverted { .. })) =
            running.verify(site)
        {
            drop(running);
            forge_proc::end_marked(&mark_of(execution.uuid())?, GRACE).await?;
            return Err(Failure::workspace(astray.to_string()));
        }
        self.reach("turn.spawned").await?;
        let process = record_of(running.identity());
        let started = Report::RunStarted { execution, process };
        self.engine.report(self.row, self.claimed, started, Closing::StaysOpen).await?;
        Ok(running)
    }
}

/// Known values are taken out, besides whatever looks like a token.
fn read_with(executor: &Executor, variables: &[(OsString, OsString)]) -> Reading {
    let own = executor.environment().map(|(name, value)| (name.into(), value.into()));
    let own: Vec<(OsString, OsString)> = own.collect();
    let secrets = secret_values(variables.iter().chain(&own));
    Reading { adapter: executor.adapter(), redactor: Redactor::new(secrets) }
}

fn not_started(error: impl std::error::Error) -> Failure {
    Failure::of(AnnotationType::ExecutionFailed, error.to_string())
}

fn record_of(identity: &ProcessIdentity) -> ProcessRecord {
    ProcessRecord {
        pid: i32::try_from(identity.pid).unwrap_or(0),
        start_ticks: identity.start_ticks,
        boot_id: identity.boot_id.clone(),
    }
}

/// An end as the rules know it.
pub(super) fn ending_of(ending: forge_proc::Ending) -> Ending {
    match ending {
        forge_proc::Ending::Exited(code) => Ending::Exited { code },
        forge_proc::Ending::Signalled(signal) => Ending::Signalled { signal },
        forge_proc::Ending::TimedOut => Ending::TimedOut,
        forge_proc::Ending::Stopped => Ending::Stopped,
    }
}

/// What of an output is worth keeping in the database.
pub(super) fn last_lines(output: &str) -> String {
    const KEPT: usize = 4096;
    let mut start = output.len().saturating_sub(KEPT);
    while !output.is_char_boundary(start) {
        start += 1;
    }
    output.get(start..).unwrap_or_default().to_owned()
}
