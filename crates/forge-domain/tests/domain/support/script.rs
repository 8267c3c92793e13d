//! Effects performed by hand, one call each.

use super::cast::{by_agent, person, role, uuid};
use super::effects::{EffectEntry, EffectStage};
use super::fixture::TaskFixture;
use super::results;
use forge_domain::task::{Workspace, WorkspaceStatus};
use forge_domain::{
    Assignee, CheckResult, Decision, Effect, EffectReport, ExecutionEnding, ExecutionId,
    ExecutionResult, LandResult, ProcessRecord, ResetScope, ReviewId, TaskCommand,
};

impl TaskFixture {
    /// A task of the default workflow, claimed by agent 1.
    pub(crate) fn claimed() -> Self {
        let mut fixture = Self::of("default");
        fixture.claim(by_agent(1));
        fixture
    }

    /// A task whose agent is running.
    pub(crate) fn working() -> Self {
        let mut fixture = Self::claimed();
        fixture.prepare();
        fixture.start();
        fixture
    }

    /// A submitted task whose checks have not ended.
    pub(crate) fn in_review() -> Self {
        let mut fixture = Self::working();
        fixture.end_turn(results::turn(ExecutionEnding::Exited { code: 0 }));
        fixture
    }

    /// A submitted task that agent 2 judges.
    pub(crate) fn judging() -> Self {
        let mut fixture = Self::in_review();
        let assignee = by_agent(2);
        let reviewer =
            TaskCommand::Assign { role: role("reviewer"), assignee, reset: ResetScope::Nothing };
        fixture.accept(person(1), reviewer);
        fixture.checks(Vec::new());
        fixture.prepare();
        fixture.start();
        fixture
    }

    /// A task in its merge state: submitted, checked, and moved on by a person.
    pub(crate) fn landing() -> Self {
        let mut fixture = Self::in_review();
        fixture.checks(vec![results::passed()]);
        fixture.move_to("merging", None);
        fixture
    }

    /// A person claims the task for an assignee.
    pub(crate) fn claim(&mut self, claimer: Assignee) -> Decision {
        self.accept(person(1), TaskCommand::Claim { claimer })
    }

    /// Removes the first outstanding effect of that name, as performed.
    pub(crate) fn take(&mut self, name: &str) -> EffectEntry {
        let found = self.steps.iter().position(|step| step.effect().name() == name);
        let Some(index) = found else { panic!("no {name} among {:?}", self.outstanding()) };
        self.steps.remove(index)
    }

    /// Reports the workspace as ready.
    pub(crate) fn prepare(&mut self) -> Decision {
        let step = self.take("prepare_workspace");
        let Effect::PrepareWorkspace { execution } = *step.effect() else { unreachable!() };
        self.report(EffectReport::WorkspaceReady { execution, workspace: workspace("base") })
    }

    /// Reports the workspace as created, but not set up (W-13).
    pub(crate) fn made(&mut self) -> Decision {
        let step = self.take("prepare_workspace");
        let Effect::PrepareWorkspace { execution } = *step.effect() else { unreachable!() };
        self.report(EffectReport::WorkspaceMade { execution, workspace: workspace("base") })
    }

    /// Reports the end of the setup.
    pub(crate) fn end_setup(&mut self, stopped: bool) -> Decision {
        let step = self.take("set_up_workspace");
        let Effect::SetUpWorkspace { execution } = *step.effect() else { unreachable!() };
        self.report(EffectReport::SetupEnded { execution, stopped })
    }

    /// Reports the agent's process as running; its effect stays outstanding.
    pub(crate) fn start(&mut self) -> Decision {
        let execution = self.execution();
        if let Some(step) =
            self.steps.iter_mut().find(|step| step.effect().name() == "run_execution")
        {
            step.stage = EffectStage::Started;
        }
        self.report(EffectReport::RunStarted { execution, process: process() })
    }

    /// Ends the current execution.
    pub(crate) fn end_turn(&mut self, result: ExecutionResult) -> Decision {
        let step = self.take("run_execution");
        let Effect::RunExecution { execution } = *step.effect() else { unreachable!() };
        self.report(EffectReport::RunEnded { execution, result })
    }

    /// Prepares, starts and ends an execution.
    pub(crate) fn whole_turn(&mut self, result: ExecutionResult) -> Decision {
        self.prepare();
        self.start();
        self.end_turn(result)
    }

    /// Ends the checks.
    pub(crate) fn checks(&mut self, results: Vec<CheckResult>) -> Decision {
        let review = self.take_checks();
        let commit = "c0ffee".to_owned();
        self.report(EffectReport::ChecksEnded {
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

    /// Ends the landing.
    pub(crate) fn land(&mut self, result: LandResult) -> Decision {
        let step = self.take("land");
        let Effect::Land { visit } = *step.effect() else { unreachable!() };
        self.report(EffectReport::LandingEnded { visit, result })
    }

    /// Reports that the stop has completed.
    pub(crate) fn stop(&mut self) -> Decision {
        let step = self.take("stop");
        let Effect::Stop { mark } = *step.effect() else { unreachable!() };
        self.report(EffectReport::Stopped { mark })
    }

    /// Reports the workspace as removed.
    pub(crate) fn clean(&mut self) -> Decision {
        self.take("clean_workspace");
        self.report(EffectReport::WorkspaceCleaned { branch_deleted: false, warnings: Vec::new() })
    }

    /// The current execution.
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

/// A running process.
pub(crate) fn process() -> ProcessRecord {
    ProcessRecord { pid: 4242, start_ticks: 7, boot_id: uuid(9).to_string() }
}
