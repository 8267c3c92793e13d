//! The program of an agent's turn: what is started, when it is not, and how its start is told (E-3, E-4).

use super::Failure;
use super::perform::{Step, agent_of, mark_of};
use super::surroundings::Surroundings;
use crate::commit::Closing;
use forge_agent::{Executor, Place, Turn};
use forge_domain::task::{Activity, AnnotationType, Run};
use forge_domain::{Ending, ExecutionId, ProcessRecord, Report};
use forge_proc::{ProcessIdentity, Running};

impl Step<'_> {
    /// Puts the agent's call together.
    pub(super) async fn program(
        &self,
        run: &Run,
        surroundings: Surroundings,
    ) -> Result<Turn, Failure> {
        let agent = agent_of(self).await?;
        let executor = Executor::from_json(&agent.executor).map_err(not_started)?;
        let prompt = self.engine.prompt(&self.task, &run.role, run.purpose).await?;
        let inner = &self.engine.0;
        let prompt_file = inner.home.prompt(run.execution.uuid());
        tokio::fs::write(&prompt_file, prompt.as_str()).await?;
        let Surroundings { directory, variables } = self.for_agent(surroundings, run.execution);
        let place = Place {
            directory: &directory,
            prompt_file: &prompt_file,
            log: inner.home.log(run.execution.uuid()),
            log_cap: inner.limits.log_bytes,
            mark: mark_of(run.execution.uuid())?,
            environment: variables,
        };
        Ok(Turn::new(&executor, &prompt, place))
    }

    /// Whether the task has moved on since this step was taken.
    pub(super) async fn must_stop(&self, execution: ExecutionId) -> Result<bool, Failure> {
        let now = self.reload().await?;
        let ours = now.run.is_some_and(|run| run.execution == execution);
        Ok(!ours || matches!(now.activity, Some(Activity::Stopping { .. })))
    }

    /// Starts the program and says so.
    pub(super) async fn start(
        &self,
        execution: ExecutionId,
        turn: Turn,
    ) -> Result<Running, Failure> {
        self.reach("turn.begun").await?;
        let running = forge_proc::spawn(turn.0).await.map_err(not_started)?;
        self.reach("turn.spawned").await?;
        let process = record_of(running.identity());
        let started = Report::RunStarted { execution, process };
        self.engine.report(self.row, self.claimed, started, Closing::StaysOpen).await?;
        Ok(running)
    }
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
