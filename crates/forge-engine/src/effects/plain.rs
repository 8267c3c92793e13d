//! Tasks of a project that works in one plain directory, without git (W-1): the same steps, and nothing to branch,
//! merge or remove.

use super::perform::{GRACE, Step, agent_of, mark_of};
use super::turn::last_lines;
use super::{Failure, Outcome};
use crate::commit::Closing;
use crate::plain::PlainDirectory;
use forge_agent::{Executor, Place, Prompt, Turn, read_verdict};
use forge_domain::task::{Activity, AnnotationType, Purpose, Run, Workspace, WorkspaceStatus};
use forge_domain::{Effect, Ending, ExecutionId, LandResult, ProcessRecord, Report, RunResult};
use forge_git::{Patience, WorkspaceHold};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// As long as the agent before may take: all tasks of the project share the directory.
const PATIENCE: Patience = Patience::Wait(Duration::from_secs(30 * 86_400));

/// Written before the program starts: from then on nobody may start it a second time.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct PlainTurn {
    ended: Option<(Ending, String)>,
}

impl Step<'_> {
    /// Carries out a step of a task that has no repository.
    pub(super) async fn perform_plain(&self, place: &PlainDirectory) -> Result<Outcome, Failure> {
        let report = |report| Ok(Outcome::Report(report));
        match &self.row.effect {
            Effect::PrepareWorkspace { execution } => {
                place.make().await.map_err(|error| Failure::workspace(error.to_string()))?;
                let workspace = Workspace {
                    path: place.path().to_string_lossy().into_owned(),
                    branch: String::new(),
                    base: String::new(),
                    status: WorkspaceStatus::Ready,
                };
                report(Report::WorkspaceReady { execution: *execution, workspace })
            }
            Effect::RunTurn { execution } => self.plain_turn(*execution, place).await,
            Effect::Stop { mark } => self.stop(*mark).await,
            Effect::RunChecks { review } => {
                let guard = self.engine.0.runs.enter(review.uuid());
                self.end_leftovers(review.uuid()).await?;
                let Some(_hold) = self.plain_hold(place, &guard.stop).await? else {
                    return report(self.unchecked(*review));
                };
                self.plain_checks(*review, &place.path(), &guard.stop).await
            }
            // There is no branch, so there is nothing to merge, and the task moves on (M-8).
            Effect::Land { visit } => {
                let result = LandResult::NothingToMerge { target: String::new() };
                report(Report::LandingEnded { visit: *visit, result })
            }
            Effect::CleanWorkspace { .. } => {
                let warnings =
                    vec!["the project's directory stays: all its tasks share it".to_owned()];
                report(Report::WorkspaceCleaned { branch_deleted: false, warnings })
            }
            other => Err(Failure::workspace(format!(
                "{} needs git, and the project works in a plain directory",
                other.name()
            ))),
        }
    }

    /// The directory's lock (W-4); none if the task was stopped while it waited.
    async fn plain_hold(
        &self,
        place: &PlainDirectory,
        stop: &CancellationToken,
    ) -> Result<Option<WorkspaceHold>, Failure> {
        let execution = match &self.task.run {
            Some(run) => run.execution.to_string(),
            None => format!("{} {}", self.row.effect.name(), self.row.id),
        };
        tokio::select! {
            held = self.engine.hold_plain(place, execution, PATIENCE) => held.map(Some),
            () = stop.cancelled() => Ok(None),
        }
    }

    async fn plain_turn(
        &self,
        execution: ExecutionId,
        place: &PlainDirectory,
    ) -> Result<Outcome, Failure> {
        let bare = |ending| {
            let result = RunResult::bare(ending);
            Ok(Outcome::Report(Report::RunEnded { execution, result }))
        };
        let mark = mark_of(execution.uuid())?;
        let Some(run) = self.task.run.clone().filter(|run| run.execution == execution) else {
            forge_proc::end_marked(&mark, GRACE).await?;
            return bare(Ending::Stopped);
        };
        let guard = self.engine.0.runs.enter(execution.uuid());
        if let Some(begun) = self.journalled::<PlainTurn>() {
            forge_proc::end_marked(&mark, GRACE).await?;
            return match begun.ended {
                Some((ending, tail)) => Ok(ended(&run, ending, &tail)),
                None if self.plain_must_stop(execution).await? => bare(Ending::Stopped),
                None => bare(Ending::Lost),
            };
        }
        let Some(_hold) = self.plain_hold(place, &guard.stop).await? else {
            return bare(Ending::Stopped);
        };
        if self.plain_must_stop(execution).await? || guard.stop.is_cancelled() {
            return bare(Ending::Stopped);
        }
        let turn = self.plain_program(&run, &place.path()).await?;
        self.engine.journal(self.claimed, &PlainTurn { ended: None }).await?;
        self.reach("turn.begun").await?;
        let running = forge_proc::spawn(turn.0)
            .await
            .map_err(|error| Failure::of(AnnotationType::ExecutionFailed, error.to_string()))?;
        let identity = running.identity().clone();
        let process = ProcessRecord {
            pid: i32::try_from(identity.pid).unwrap_or(0),
            start_ticks: identity.start_ticks,
            boot_id: identity.boot_id,
        };
        let started = Report::RunStarted { execution, process };
        self.engine.report(self.row, self.claimed, started, Closing::StaysOpen).await?;
        let done = running.wait(&guard.stop).await;
        let ending = match done.ending {
            forge_proc::Ending::Exited(code) => Ending::Exited { code },
            forge_proc::Ending::Signalled(signal) => Ending::Signalled { signal },
            forge_proc::Ending::TimedOut => Ending::TimedOut,
            forge_proc::Ending::Stopped => Ending::Stopped,
        };
        let seen = PlainTurn { ended: Some((ending, done.tail.clone())) };
        self.engine.journal(self.claimed, &seen).await?;
        self.reach("turn.ended").await?;
        Ok(ended(&run, ending, &done.tail))
    }

    async fn plain_must_stop(&self, execution: ExecutionId) -> Result<bool, Failure> {
        let now = self.reload().await?;
        let ours = now.run.is_some_and(|run| run.execution == execution);
        Ok(!ours || matches!(now.activity, Some(Activity::Stopping { .. })))
    }

    async fn plain_program(&self, run: &Run, directory: &Path) -> Result<Turn, Failure> {
        let agent = agent_of(self).await?;
        let executor = Executor::from_json(&agent.executor)
            .map_err(|error| Failure::of(AnnotationType::ExecutionFailed, error.to_string()))?;
        let prompt = Prompt::build(&self.task, run.purpose);
        let inner = &self.engine.0;
        let prompt_file = inner.home.prompt(run.execution.uuid());
        tokio::fs::write(&prompt_file, prompt.as_str()).await?;
        let place = Place {
            directory,
            prompt_file: &prompt_file,
            log: inner.home.log(run.execution.uuid()),
            log_cap: inner.limits.log_bytes,
            mark: mark_of(run.execution.uuid())?,
            environment: self.plain_environment(Some(run.execution.uuid())),
        };
        Ok(Turn::new(&executor, &prompt, place))
    }

    /// As with a worktree, but for the branch, which there is none of (E-3).
    pub(super) fn plain_environment(&self, execution: Option<Uuid>) -> Vec<(OsString, OsString)> {
        let inner = &self.engine.0;
        let mut own = vec![("FORGE_TASK_ID", self.task.id.to_string())];
        own.extend(execution.map(|id| ("FORGE_EXECUTION_ID", id.to_string())));
        own.extend(inner.limits.url.clone().map(|url| ("FORGE_URL", url)));
        let own = own.into_iter().map(|(name, value)| (OsString::from(name), value.into()));
        inner.environment.vars().chain(own).collect()
    }
}

/// Without git nobody knows whether anything changed, so nobody is told that nothing did (E-6).
fn ended(run: &Run, ending: Ending, tail: &str) -> Outcome {
    let verdict = (run.purpose == Purpose::Judge).then(|| read_verdict(tail)).flatten();
    let result = RunResult { ending, changed: true, head: None, verdict, tail: last_lines(tail) };
    Outcome::Report(Report::RunEnded { execution: run.execution, result })
}
