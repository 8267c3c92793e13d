//! Tasks of a project that works in one plain directory, without git (W-1): the same steps, and nothing to branch,
//! merge or remove.

use super::checks::Checked;
use super::perform::{GRACE, Step, mark_of};
use super::seen::Seen;
use super::{Failure, Outcome};
use crate::plain::PlainDirectory;
use crate::running::RunGuard;
use forge_domain::task::{Run, Workspace, WorkspaceStatus};
use forge_domain::{Effect, Ending, ExecutionId, LandResult, Report, RunResult};
use forge_git::{Patience, WorkspaceHold};
use forge_proc::Site;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// As long as the agent before may take: all tasks of the project share the directory.
const PATIENCE: Patience = Patience::Wait(Duration::from_secs(30 * 86_400));

/// Written before the program starts: from then on nobody may start it a second time.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct PlainTurn {
    #[serde(default)]
    seen: Option<Seen>,
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
                let execution = *execution;
                report(if self.plain_setup_is_due(place).await? {
                    Report::WorkspaceMade { execution, workspace }
                } else {
                    Report::WorkspaceReady { execution, workspace }
                })
            }
            Effect::SetUpWorkspace { execution } => self.set_up_plain(*execution, place).await,
            Effect::RunTurn { execution } => Box::pin(self.plain_turn(*execution, place)).await,
            Effect::AwaitQuota { .. } | Effect::AwaitBudget => report(Report::RunDue),
            Effect::DeliverSteer { execution } => self.deliver_steer(*execution).await,
            Effect::TellParent { ended } => self.tell_parent(*ended).await,
            Effect::BeginTurn { turn } => self.begin_turn(*turn).await,
            Effect::EndTurns => self.end_turns().await,
            Effect::Stop { mark } => self.stop(*mark).await,
            Effect::RunChecks { review } => {
                let guard = self.engine.0.runs.enter(review.uuid());
                self.end_leftovers(review.uuid()).await?;
                let checked = match self.plain_hold(place, &guard.stop).await? {
                    Some(_hold) => {
                        let surroundings = self.surroundings(&place.path(), None).await?;
                        self.checked((*review).into(), &surroundings, &guard.stop).await?
                    }
                    None => Checked::default(),
                };
                self.reach("checks.ran").await?;
                report(checked.told(*review, String::new()))
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
    pub(super) async fn plain_hold(
        &self,
        place: &PlainDirectory,
        stop: &CancellationToken,
    ) -> Result<Option<WorkspaceHold>, Failure> {
        let holder = self.holder()?;
        tokio::select! {
            biased;
            held = self.engine.hold_plain(place, holder, PATIENCE) => held.map(Some),
            () = stop.cancelled() => Ok(None),
            // It may be an agent that goes on without us.
            () = self.engine.0.winding_down.begun.cancelled() => Err(Failure::Overtaken),
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
        let Some(run) = self.task.run.clone().filter(|run| run.execution == execution) else {
            return self.turn_lost_its_point(execution).await;
        };
        let guard = self.engine.0.runs.enter(execution.uuid());
        if let Some(begun) = self.journalled::<PlainTurn>() {
            return Box::pin(self.plain_pick_up(&run, place, begun, &guard)).await;
        }
        if self.engine.0.winding_down.begun.is_cancelled() {
            return Err(Failure::Overtaken);
        }
        // The setup of an earlier holder, if it was cut off in it.
        self.end_leftovers(execution.uuid()).await?;
        let Some(_hold) = self.plain_hold(place, &guard.stop).await? else {
            return bare(Ending::Stopped);
        };
        if self.must_stop(execution).await? || guard.stop.is_cancelled() {
            return bare(Ending::Stopped);
        }
        if !self.see_to_plain_setup(execution, place, &guard.stop).await? {
            return bare(Ending::Stopped);
        }
        let _at_work = self.engine.0.turns.token();
        let surroundings = self.surroundings(&place.path(), None).await?;
        let program = self.program(&run, surroundings).await?;
        self.engine.journal(self.claimed, &PlainTurn { seen: None }).await?;
        let (site, watched) = (Site::new(place.path()), place.path());
        let seen = tokio::select! {
            seen = self.carry_out(&run, program, &site, &guard) => seen?,
            never = self.watch_silence(&run, &watched) => match never {},
        };
        let noted = PlainTurn { seen: Some(seen.clone()) };
        self.engine.journal(self.claimed, &noted).await?;
        self.reach("turn.ended").await?;
        Ok(self.plain_ended(&run, seen).await)
    }

    /// An earlier holder had started the program; what it saw of the end counts, else it goes on if it can.
    async fn plain_pick_up(
        &self,
        run: &Run,
        place: &PlainDirectory,
        begun: PlainTurn,
        guard: &RunGuard,
    ) -> Result<Outcome, Failure> {
        let hold = match self.engine.0.regained.take(run.execution) {
            Some(hold) => Some(hold),
            // Stopped while it waited: what still runs of it is ended all the same.
            None => self.plain_hold(place, &guard.stop).await?,
        };
        let site = Site::new(place.path());
        let adopted = match &begun.seen {
            None if hold.is_some() => self.adopt(run, site).await?,
            _ => None,
        };
        let seen = match (begun.seen, adopted) {
            (Some(seen), _) => seen,
            (None, Some((scribe, running))) => {
                let (_at_work, watched) = (self.engine.0.turns.token(), place.path());
                let seen = tokio::select! {
                    seen = self.attend(run, scribe, running, guard) => seen?,
                    never = self.watch_silence(run, &watched) => match never {},
                };
                let noted = PlainTurn { seen: Some(seen.clone()) };
                self.engine.journal(self.claimed, &noted).await?;
                seen
            }
            (None, None) => self.end_unattended(run).await?,
        };
        forge_proc::end_marked(&mark_of(run.execution.uuid())?, GRACE).await?;
        Ok(self.plain_ended(run, seen).await)
    }

    /// Without git nobody knows whether anything changed, so nobody is told that nothing did (E-6).
    async fn plain_ended(&self, run: &Run, seen: Seen) -> Outcome {
        self.pack_log(run).await;
        let result = seen.result(run, None, true);
        Outcome::Report(Report::RunEnded { execution: run.execution, result })
    }
}
