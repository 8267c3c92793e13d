//! Effects performed by hand, one line each: the tables say what the world answers.

use super::cast::{by_agent, person, role, uuid};
use super::desk::Desk;
use super::effects::{Stage, Step};
use super::results;
use forge_domain::task::{Workspace, WorkspaceStatus};
use forge_domain::{
    Assignee, CheckResult, Command, Decision, Effect, Ending, ExecutionId, LandResult,
    ProcessRecord, Report, Reset, ReviewId, RunResult,
};

impl Desk {
    /// A task of the default workflow, claimed by agent 1.
    pub(crate) fn claimed() -> Self {
        let mut desk = Self::of("default");
        desk.claim(by_agent(1));
        desk
    }

    /// The same, worked on.
    pub(crate) fn working() -> Self {
        let mut desk = Self::claimed();
        desk.prepare();
        desk.start();
        desk
    }

    /// The same, handed in.
    pub(crate) fn in_review() -> Self {
        let mut desk = Self::working();
        desk.end_turn(results::turn(Ending::Exited { code: 0 }));
        desk
    }

    /// The same, agent 2 judging it.
    pub(crate) fn judging() -> Self {
        let mut desk = Self::in_review();
        let assignee = by_agent(2);
        let reviewer = Command::Assign { role: role("reviewer"), assignee, reset: Reset::Nothing };
        desk.accept(person(1), reviewer);
        desk.checks(Vec::new());
        desk.prepare();
        desk.start();
        desk
    }

    /// Handed in, its checks passed and a person having moved it on to the merge.
    pub(crate) fn landing() -> Self {
        let mut desk = Self::in_review();
        desk.checks(vec![results::passed()]);
        desk.move_to("merging", None);
        desk
    }

    /// A person has somebody claim the task.
    pub(crate) fn claim(&mut self, claimer: Assignee) -> Decision {
        self.accept(person(1), Command::Claim { claimer })
    }

    /// Takes the first outstanding effect of that name off the list, as one that the engine has performed.
    pub(crate) fn take(&mut self, name: &str) -> Step {
        let found = self.steps.iter().position(|step| step.effect().name() == name);
        let Some(index) = found else { panic!("no {name} among {:?}", self.outstanding()) };
        self.steps.remove(index)
    }

    /// The workspace is made.
    pub(crate) fn prepare(&mut self) -> Decision {
        let step = self.take("prepare_workspace");
        let Effect::PrepareWorkspace { execution } = *step.effect() else { unreachable!() };
        self.report(Report::WorkspaceReady { execution, workspace: workspace("base") })
    }

    /// The workspace is made and has yet to be set up (W-13).
    pub(crate) fn made(&mut self) -> Decision {
        let step = self.take("prepare_workspace");
        let Effect::PrepareWorkspace { execution } = *step.effect() else { unreachable!() };
        self.report(Report::WorkspaceMade { execution, workspace: workspace("base") })
    }

    /// The setup ends.
    pub(crate) fn end_setup(&mut self, stopped: bool) -> Decision {
        let step = self.take("set_up_workspace");
        let Effect::SetUpWorkspace { execution } = *step.effect() else { unreachable!() };
        self.report(Report::SetupEnded { execution, stopped })
    }

    /// The agent's process runs; its turn stays outstanding.
    pub(crate) fn start(&mut self) -> Decision {
        let execution = self.execution();
        if let Some(step) = self.steps.iter_mut().find(|step| step.effect().name() == "run_turn") {
            step.stage = Stage::Started;
        }
        self.report(Report::RunStarted { execution, process: process() })
    }

    /// The turn under way ends.
    pub(crate) fn end_turn(&mut self, result: RunResult) -> Decision {
        let step = self.take("run_turn");
        let Effect::RunTurn { execution } = *step.effect() else { unreachable!() };
        self.report(Report::RunEnded { execution, result })
    }

    /// Prepares, starts and ends a turn.
    pub(crate) fn whole_turn(&mut self, result: RunResult) -> Decision {
        self.prepare();
        self.start();
        self.end_turn(result)
    }

    /// The checks end.
    pub(crate) fn checks(&mut self, results: Vec<CheckResult>) -> Decision {
        let review = self.take_checks();
        let commit = "c0ffee".to_owned();
        self.report(Report::ChecksEnded {
            review,
            commit,
            results,
            setup_failed: false,
            receipt: None,
            taken_from: None,
        })
    }

    pub(crate) fn take_checks(&mut self) -> ReviewId {
        let step = self.take("run_checks");
        let Effect::RunChecks { review } = *step.effect() else { unreachable!() };
        review
    }

    /// The landing ends.
    pub(crate) fn land(&mut self, result: LandResult) -> Decision {
        let step = self.take("land");
        let Effect::Land { visit } = *step.effect() else { unreachable!() };
        self.report(Report::LandingEnded { visit, result })
    }

    /// What was to be stopped is gone.
    pub(crate) fn stop(&mut self) -> Decision {
        let step = self.take("stop");
        let Effect::Stop { mark } = *step.effect() else { unreachable!() };
        self.report(Report::Stopped { mark })
    }

    /// The workspace is removed.
    pub(crate) fn clean(&mut self) -> Decision {
        self.take("clean_workspace");
        self.report(Report::WorkspaceCleaned { branch_deleted: false, warnings: Vec::new() })
    }

    /// The execution under way.
    pub(crate) fn execution(&self) -> ExecutionId {
        self.task.run.as_ref().expect("an execution is under way").execution
    }
}

/// A worktree that started from `base`.
pub(crate) fn workspace(base: &str) -> Workspace {
    Workspace {
        path: "workspaces/12-add-rate-limiting".to_owned(),
        branch: "forge/12-add-rate-limiting".to_owned(),
        base: base.to_owned(),
        status: WorkspaceStatus::Ready,
    }
}

/// A process that runs.
pub(crate) fn process() -> ProcessRecord {
    ProcessRecord { pid: 4242, start_ticks: 7, boot_id: uuid(9).to_string() }
}
