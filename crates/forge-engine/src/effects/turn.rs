//! One turn of an agent: start its program, wait for its end, commit what it leaves (E-3, E-4, E-6).

use super::perform::{GRACE, Step, agent_of, mark_of};
use super::{Failure, Outcome};
use crate::commit::Closing;
use forge_agent::{Executor, Place, Prompt, Turn, read_verdict};
use forge_domain::task::{Activity, AnnotationType, Purpose, Run};
use forge_domain::{Ending, ExecutionId, ProcessRecord, Report, RunResult};
use forge_git::{HeldWorktree, JournalReason, Worktree};
use serde::{Deserialize, Serialize};

/// Written before the program starts, and again when it has ended: from the first on nobody may start it a second
/// time, from the second on nobody needs to.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Begun {
    head: String,
    ended: Option<(Ending, String)>,
}

impl Step<'_> {
    pub(super) async fn run_turn(&self, execution: ExecutionId) -> Result<Outcome, Failure> {
        let Some(run) = self.task.run.clone().filter(|run| run.execution == execution) else {
            return self.turn_lost_its_point(execution).await;
        };
        let guard = self.engine.0.runs.enter(execution.uuid());
        let begun = self.journalled::<Begun>();
        if begun.is_some() {
            // An earlier holder died with its server: what still runs of it ends before anything else is looked at.
            forge_proc::end_marked(&mark_of(execution.uuid())?, GRACE).await?;
        }
        let repo = self.engine.repo_of(&self.task).await?;
        let worktree = self.usable_worktree(&repo).await?;
        if let Some(begun) = begun {
            return self.pick_up(&run, &worktree, begun).await;
        }
        let begun = Begun { head: worktree.head().await?.to_string(), ended: None };
        if self.must_stop(execution).await? || guard.stop.is_cancelled() {
            return self.ended(&run, &worktree, &begun, Ending::Stopped, String::new()).await;
        }
        let turn = self.turn(&run, &worktree).await?;
        self.engine.journal(self.claimed, &begun).await?;
        self.reach("turn.begun").await?;
        let running = match forge_proc::spawn(turn.0).await {
            Ok(running) => running,
            Err(error) => {
                return Err(Failure::of(AnnotationType::ExecutionFailed, error.to_string()));
            }
        };
        let identity = running.identity().clone();
        self.reach("turn.spawned").await?;
        let process = ProcessRecord {
            pid: i32::try_from(identity.pid).unwrap_or(0),
            start_ticks: identity.start_ticks,
            boot_id: identity.boot_id,
        };
        let started = Report::RunStarted { execution, process };
        self.engine.report(self.row, self.claimed, started, Closing::StaysOpen).await?;
        let ended = tokio::select! {
            ended = running.wait(&guard.stop) => ended,
            never = self.record_periodically(&worktree) => match never {},
        };
        let tail = ended.tail.clone();
        let ending = match ended.ending {
            forge_proc::Ending::Exited(code) => Ending::Exited { code },
            forge_proc::Ending::Signalled(signal) => Ending::Signalled { signal },
            forge_proc::Ending::TimedOut => Ending::TimedOut,
            forge_proc::Ending::Stopped => Ending::Stopped,
        };
        let ended = Some((ending, ended.tail.clone()));
        self.engine.journal(self.claimed, &Begun { ended, ..begun.clone() }).await?;
        self.ended(&run, &worktree, &begun, ending, tail).await
    }

    /// An earlier holder had started the program; what it saw of the end counts, else nobody saw it.
    async fn pick_up(
        &self,
        run: &Run,
        worktree: &HeldWorktree,
        begun: Begun,
    ) -> Result<Outcome, Failure> {
        let (ending, tail) = match begun.ended.clone() {
            Some(seen) => seen,
            None if self.must_stop(run.execution).await? => (Ending::Stopped, String::new()),
            None => (Ending::Lost, String::new()),
        };
        self.ended(run, worktree, &begun, ending, tail).await
    }

    /// The execution is over for the rules; its processes may not know it yet.
    async fn turn_lost_its_point(&self, execution: ExecutionId) -> Result<Outcome, Failure> {
        forge_proc::end_marked(&mark_of(execution.uuid())?, GRACE).await?;
        let result = RunResult::bare(Ending::Stopped);
        Ok(Outcome::Report(Report::RunEnded { execution, result }))
    }

    /// Whether the task has moved on since this step was taken.
    async fn must_stop(&self, execution: ExecutionId) -> Result<bool, Failure> {
        let now = self.reload().await?;
        let ours = now.run.is_some_and(|run| run.execution == execution);
        Ok(!ours || matches!(now.activity, Some(Activity::Stopping { .. })))
    }

    /// Commits what is left and says how it went.
    async fn ended(
        &self,
        run: &Run,
        worktree: &HeldWorktree,
        begun: &Begun,
        ending: Ending,
        tail: String,
    ) -> Result<Outcome, Failure> {
        self.reach("turn.ended").await?;
        // Before anything is committed: this is how the agent left it, wherever HEAD is now.
        let reason = match ending {
            Ending::Stopped => JournalReason::Stop,
            _ => JournalReason::TurnEnd,
        };
        self.record_if_possible(&worktree.site(), reason).await?;
        let head = match run.purpose {
            Purpose::Work => {
                // An agent may have left HEAD anywhere; nothing is committed to a branch that is not the task's.
                worktree.verify().await?;
                let signature =
                    self.engine.signature(&self.author().await?, self.row.created_at.millis())?;
                let message = self.message(&self.task.title);
                worktree.commit_all(&message, &signature).await?.head
            }
            Purpose::Judge => worktree.head().await?,
        };
        self.reach("turn.collected").await?;
        let verdict = (run.purpose == Purpose::Judge).then(|| read_verdict(&tail)).flatten();
        let head = head.to_string();
        let changed = head != begun.head;
        let result =
            RunResult { ending, changed, head: Some(head), verdict, tail: last_lines(&tail) };
        Ok(Outcome::Report(Report::RunEnded { execution: run.execution, result }))
    }

    async fn turn(&self, run: &Run, worktree: &Worktree) -> Result<Turn, Failure> {
        let agent = agent_of(self).await?;
        let executor = Executor::from_json(&agent.executor)
            .map_err(|error| Failure::of(AnnotationType::ExecutionFailed, error.to_string()))?;
        let prompt = Prompt::build(&self.task, run.purpose);
        let inner = &self.engine.0;
        let prompt_file = inner.home.prompt(run.execution.uuid());
        tokio::fs::write(&prompt_file, prompt.as_str()).await?;
        let place = Place {
            directory: worktree.path(),
            prompt_file: &prompt_file,
            log: inner.home.log(run.execution.uuid()),
            log_cap: inner.limits.log_bytes,
            mark: mark_of(run.execution.uuid())?,
            environment: self.environment(run, worktree).await?,
        };
        Ok(Turn::new(&executor, &prompt, place))
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
