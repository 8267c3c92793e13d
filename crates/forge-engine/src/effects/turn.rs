//! One turn of an agent: start its program, wait for its end, commit what it leaves (E-3, E-4, E-6).

use super::perform::{GRACE, Step, mark_of};
use super::seen::Seen;
use super::{Failure, Outcome};
use crate::running::RunGuard;
use forge_domain::task::{Purpose, Run};
use forge_domain::{Ending, ExecutionId, Report, RunResult};
use forge_git::{HeldWorktree, JournalReason, ObjectId};
use forge_proc::Site;
use serde::{Deserialize, Serialize};

/// Written before the program starts, and again when it has ended: from the first on nobody may start it a second
/// time, from the second on nobody needs to.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Begun {
    head: String,
    #[serde(default)]
    seen: Option<Seen>,
}

impl Step<'_> {
    pub(super) async fn run_turn(&self, execution: ExecutionId) -> Result<Outcome, Failure> {
        let Some(run) = self.task.run.clone().filter(|run| run.execution == execution) else {
            return self.turn_lost_its_point(execution).await;
        };
        let _at_work = self.engine.0.turns.token();
        let guard = self.engine.0.runs.enter(execution.uuid());
        if let Some(begun) = self.journalled::<Begun>() {
            let picked_up = Box::pin(self.pick_up(&run, begun, &guard)).await;
            if matches!(picked_up, Err(Failure::Final { .. })) {
                // Nobody comes back to it.
                self.turn_lost_its_point(execution).await?;
            }
            return picked_up;
        }
        if self.engine.0.winding_down.begun.is_cancelled() {
            return Err(Failure::Overtaken);
        }
        let repo = self.engine.repo_of(&self.task).await?;
        let worktree = self.usable_worktree(&repo).await?;
        let begun = Begun { head: worktree.head().await?.to_string(), seen: None };
        if self.must_stop(execution).await? || guard.stop.is_cancelled() {
            return self.ended(&run, &worktree, &begun, Seen::bare(Ending::Stopped)).await;
        }
        let program = self.program(&run, self.surroundings_in(&worktree).await?).await?;
        self.engine.journal(self.claimed, &begun).await?;
        let site = Site::new(worktree.path()).git_dir(worktree.git_dir());
        let site = match run.purpose {
            Purpose::Work => site.branch(format!("refs/heads/{}", worktree.branch())),
            // A judge that is quick to look at another branch is no trouble: what it does to the place is taken back.
            Purpose::Judge => site,
        };
        let seen = tokio::select! {
            seen = self.carry_out(&run, program, &site, &guard) => seen?,
            never = self.record_periodically(&worktree) => match never {},
            never = self.watch_silence(&run, worktree.path()) => match never {},
        };
        self.note_end(&begun, &seen).await?;
        self.ended(&run, &worktree, &begun, seen).await
    }

    /// An earlier holder had started the program; what it saw of the end counts, else it goes on if it can.
    async fn pick_up(&self, run: &Run, begun: Begun, guard: &RunGuard) -> Result<Outcome, Failure> {
        let repo = &self.engine.repo_of(&self.task).await?;
        let hold = self.hold_again(run.execution).await?;
        if begun.seen.is_none()
            && let Some((worktree, seen)) = self.go_on(run, repo, &hold, guard).await?
        {
            self.note_end(&begun, &seen).await?;
            return self.ended(run, &worktree, &begun, seen).await;
        }
        let seen = match begun.seen.clone() {
            Some(seen) => {
                forge_proc::end_marked(&mark_of(run.execution.uuid())?, GRACE).await?;
                seen
            }
            None => self.end_unattended(run).await?,
        };
        if let Some(commit) = self.judged_commit(run)? {
            self.put_back_branch(repo, &hold, &commit).await?;
        }
        let worktree = self.usable_worktree_in(repo, &hold).await?;
        self.ended(run, &worktree, &begun, seen).await
    }

    async fn note_end(&self, begun: &Begun, seen: &Seen) -> Result<(), Failure> {
        let noted = Begun { seen: Some(seen.clone()), ..begun.clone() };
        Ok(self.engine.journal(self.claimed, &noted).await?)
    }

    /// The execution is over for the rules; its processes may not know it yet.
    pub(super) async fn turn_lost_its_point(
        &self,
        execution: ExecutionId,
    ) -> Result<Outcome, Failure> {
        forge_proc::end_marked(&mark_of(execution.uuid())?, GRACE).await?;
        drop(self.engine.0.regained.take(execution));
        let result = RunResult::bare(Ending::Stopped);
        Ok(Outcome::Report(Report::RunEnded { execution, result }))
    }

    /// Commits what is left and says how it went.
    async fn ended(
        &self,
        run: &Run,
        worktree: &HeldWorktree,
        begun: &Begun,
        seen: Seen,
    ) -> Result<Outcome, Failure> {
        self.reach("turn.ended").await?;
        self.pack_log(run).await;
        if let Some(commit) = self.judged_commit(run)? {
            return self.judge_ended(run, worktree, &commit, seen).await;
        }
        // Before anything is committed: this is how the agent left it, wherever HEAD is now.
        let reason = match seen.ending {
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
                let head = worktree.commit_all(&message, &signature).await?.head;
                self.one_commit(worktree, &begun.head, head, &message, &signature).await?
            }
            Purpose::Judge => worktree.head().await?,
        };
        self.reach("turn.collected").await?;
        let head = head.to_string();
        let changed = head != begun.head;
        let base = Some(begun.head.clone());
        let result = RunResult { base, ..seen.result(run, Some(head), changed) };
        Ok(Outcome::Report(Report::RunEnded { execution: run.execution, result }))
    }
    /// The commit that a judge was asked about; none where the run is to change something.
    fn judged_commit(&self, run: &Run) -> Result<Option<ObjectId>, Failure> {
        let reviewed = self.task.reviewed.clone().filter(|_| run.purpose == Purpose::Judge);
        let commit = reviewed.map(ObjectId::new).transpose();
        commit.map_err(|error| Failure::workspace(error.to_string()))
    }

    /// M-3: a judge's verdict is about the commit that was checked; what it changed is saved, and taken back.
    async fn judge_ended(
        &self,
        run: &Run,
        worktree: &HeldWorktree,
        commit: &ObjectId,
        seen: Seen,
    ) -> Result<Outcome, Failure> {
        self.leave_as_found(worktree, commit).await?;
        self.reach("turn.collected").await?;
        let result = seen.result(run, Some(commit.to_string()), false);
        Ok(Outcome::Report(Report::RunEnded { execution: run.execution, result }))
    }
}
