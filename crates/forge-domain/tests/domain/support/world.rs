//! A simulated engine: starts effects in their lanes, ends them plausibly but at random, and reports late where a real
//! engine could. A superseded effect never runs; a started one continues.

use super::cast::machine;
use super::dice::SeededRandom;
use super::effects::{EffectEntry, EffectStage, startable};
use super::fixture::TaskFixture;
use super::laws::check_begin;
use super::player::play;
use super::results;
use super::script::{process, workspace};
use forge_domain::task::{
    AnnotationType, ExecutionPurpose, VerificationResult, Workspace, WorkspaceStatus,
};
use forge_domain::workflow::TaskStanding;
use forge_domain::{
    CheckOutcome, CheckResult, Decision, Effect, EffectLane, EffectReport, ExecutionEnding,
    ExecutionResult, LandResult, RebaseResult, RevertResult, SilenceChange, TaskCommand, Verdict,
};

/// Probabilities of the simulation, in percent.
#[derive(Debug, Clone)]
pub(crate) struct EffectSimulation {
    /// How often people act although the engine is busy.
    unrest: usize,
    /// Executions and checks that end well.
    luck: usize,
    /// Effects that can never succeed.
    breakage: usize,
    /// Executions that are lost with their server.
    losses: usize,
    /// Number of worktrees created so far: a retired branch starts from another commit.
    made: u32,
}

impl EffectSimulation {
    pub(crate) fn new(dice: &mut SeededRandom) -> Self {
        Self {
            unrest: *dice.pick(&[5, 15, 40]),
            luck: *dice.pick(&[5, 50, 90]),
            breakage: dice.below(8),
            losses: dice.below(15),
            made: 0,
        }
    }

    /// Lets the engine or a person do something. Returns false when the task has ended and nothing is left to do.
    pub(crate) fn live(&mut self, fixture: &mut TaskFixture, dice: &mut SeededRandom) -> bool {
        let over = matches!(fixture.task.standing, TaskStanding::Succeeded | TaskStanding::Ended);
        if over && fixture.steps.is_empty() && dice.chance(30) {
            return false;
        }
        if dice.chance(self.unrest) || !self.advance(fixture, dice) {
            play(fixture, dice);
        }
        true
    }

    /// Performs one step. Returns false if there is none, now or later.
    pub(crate) fn advance(&mut self, fixture: &mut TaskFixture, dice: &mut SeededRandom) -> bool {
        let begun: Vec<_> = (0..fixture.steps.len())
            .filter(|&i| fixture.steps[i].stage != EffectStage::Waiting)
            .collect();
        let ready: Vec<_> = startable(&fixture.steps)
            .into_iter()
            .filter(|&i| fixture.steps[i].planned.not_before <= fixture.now())
            .collect();
        let options: Vec<_> = begun.iter().chain(&ready).copied().collect();
        if options.is_empty() {
            return self.wait(fixture);
        }
        let index = *dice.pick(&options);
        if self.is_overtaken(fixture, &fixture.steps[index]) {
            fixture.steps.remove(index);
        } else if fixture.steps[index].stage == EffectStage::Waiting {
            check_begin(fixture, &fixture.steps[index]);
            fixture.steps[index].stage = EffectStage::Begun;
        } else {
            self.go_on(fixture, dice, index);
        }
        true
    }

    /// Runs the engine alone until it is idle; returns the number of steps.
    pub(crate) fn settle(
        &mut self,
        fixture: &mut TaskFixture,
        dice: &mut SeededRandom,
        most: usize,
        mut after_each: impl FnMut(&TaskFixture),
    ) -> usize {
        for count in 0..most {
            if !self.advance(fixture, dice) {
                return count;
            }
            after_each(fixture);
        }
        panic!("the engine does not come to rest in {most} steps; it is in {:?}", fixture.state());
    }

    /// Whether a landing that waited for a retry finds the task moved on, and stops retrying.
    fn is_overtaken(&self, fixture: &TaskFixture, step: &EffectEntry) -> bool {
        let stale = matches!(*step.effect(), Effect::Land { visit } if visit != fixture.task.visit);
        stale && step.tried && step.stage == EffectStage::Waiting
    }

    /// Advances the clock until the next effect may start.
    fn wait(&self, fixture: &mut TaskFixture) -> bool {
        let next = startable(&fixture.steps)
            .into_iter()
            .map(|i| fixture.steps[i].planned.not_before)
            .min();
        if let Some(moment) = next {
            fixture.wait_until(moment);
        }
        next.is_some()
    }

    fn go_on(&mut self, fixture: &mut TaskFixture, dice: &mut SeededRandom, index: usize) {
        let step = fixture.steps[index].clone();
        let starts = matches!(step.effect(), Effect::RunExecution { .. })
            && step.stage == EffectStage::Begun;
        if starts && dice.chance(80) {
            let Effect::RunExecution { execution } = *step.effect() else {
                return;
            };
            fixture.steps[index].stage = EffectStage::Started;
            fixture.report(EffectReport::RunStarted { execution, process: process() });
            if dice.chance(15) {
                let since = fixture.now();
                let stages = [
                    SilenceChange::Stalled { since },
                    SilenceChange::Broken,
                    SilenceChange::Stuck { since },
                ];
                for silence in stages.into_iter().take(1 + dice.below(3)) {
                    fixture.report(EffectReport::Silence { execution, silence });
                }
            }
            return;
        }
        if let Some(report) = self.setback(dice, &step) {
            // The engine retries: the row stays, and waits.
            let later = fixture.now().plus_seconds(5);
            fixture.steps[index].stage = EffectStage::Waiting;
            fixture.steps[index].planned.not_before = later;
            fixture.steps[index].tried = true;
            self.deliver(fixture, report);
            return;
        }
        fixture.steps.remove(index);
        if let Effect::Stop { mark } = *step.effect() {
            for other in &mut fixture.steps {
                other.killed |= other.stage != EffectStage::Waiting && other.mark() == Some(mark);
            }
        }
        if let Some(report) = self.ending(fixture, dice, &step) {
            self.deliver(fixture, report);
        }
    }

    fn deliver(&self, fixture: &mut TaskFixture, report: EffectReport) -> Decision {
        fixture.accept(machine(), TaskCommand::Report(report))
    }

    /// A temporary failure of an effect.
    fn setback(&self, dice: &mut SeededRandom, step: &EffectEntry) -> Option<EffectReport> {
        if !dice.chance(20) {
            return None;
        }
        match *step.effect() {
            Effect::Land { visit } => {
                Some(EffectReport::LandingEnded { visit, result: results::dirty() })
            }
            Effect::CleanWorkspace { .. } => {
                Some(EffectReport::CleaningFailed { error: "busy".to_owned() })
            }
            _ => None,
        }
    }

    /// The report of an effect. `None`: it was killed and its row closed without a report.
    fn ending(
        &mut self,
        fixture: &TaskFixture,
        dice: &mut SeededRandom,
        step: &EffectEntry,
    ) -> Option<EffectReport> {
        let can_break = !matches!(step.effect(), Effect::CleanWorkspace { .. })
            && !matches!(step.lane(), EffectLane::Control | EffectLane::Message);
        let breakage = if step.killed { 33 } else { self.breakage };
        if can_break && dice.chance(breakage) {
            return Some(EffectReport::EffectFailed {
                visit: step.visit,
                trouble: *dice.pick(&[
                    AnnotationType::WorkspaceError,
                    AnnotationType::WorkspaceResetRequired,
                ]),
                message: "it broke".to_owned(),
                details: serde_json::Value::Null,
            });
        }
        if step.killed && dice.chance(33) {
            return None;
        }
        Some(match step.effect().clone() {
            Effect::PrepareWorkspace { execution } => {
                let workspace = workspace(&format!("base {}", self.made));
                if dice.chance(50) {
                    EffectReport::WorkspaceMade { execution, workspace }
                } else {
                    EffectReport::WorkspaceReady { execution, workspace }
                }
            }
            Effect::SetUpWorkspace { execution } => {
                EffectReport::SetupEnded { execution, stopped: step.killed }
            }
            Effect::RunExecution { execution } => {
                let result = self.run_result(fixture, dice, step.killed);
                EffectReport::RunEnded { execution, result }
            }
            Effect::AwaitQuota { .. } | Effect::AwaitBudget => EffectReport::RunDue,
            Effect::DeliverSteer { execution } => EffectReport::SteerDelivered { execution },
            Effect::TellParent { .. } => EffectReport::ParentTold,
            Effect::BeginTurn { .. } => EffectReport::TurnBegun,
            Effect::EndTurns => EffectReport::TurnChanged { ended: false },
            Effect::Stop { mark } => EffectReport::Stopped { mark },
            Effect::RunChecks { review } => EffectReport::ChecksEnded {
                review,
                commit: "c0ffee".to_owned(),
                results: self.check_results(dice, step.killed),
                setup_failed: dice.chance(5),
                receipt: None,
                taken_from: None,
            },
            Effect::Land { visit } => {
                EffectReport::LandingEnded { visit, result: self.land_result(dice) }
            }
            Effect::CleanWorkspace { retire_branch } => {
                self.made += u32::from(retire_branch);
                EffectReport::WorkspaceCleaned {
                    branch_deleted: retire_branch,
                    warnings: Vec::new(),
                }
            }
            Effect::Rebase { visit, .. }
                if fixture.task.post_landing.returning.is_some() && dice.below(2) == 0 =>
            {
                EffectReport::LandingDue { visit }
            }
            Effect::Rebase { visit, message } => {
                let target = "main".to_owned();
                let result = match dice.below(3) {
                    0 => RebaseResult::Merged { target, commit: "fade".to_owned() },
                    1 => {
                        let files = vec!["src/a.rs".to_owned()];
                        RebaseResult::Conflict { target, files, hunks: Vec::new() }
                    }
                    _ => RebaseResult::UpToDate { target },
                };
                let known = fixture.task.workspace.clone();
                let workspace = known.unwrap_or_else(|| workspace(&format!("base {}", self.made)));
                let workspace = Workspace { status: WorkspaceStatus::Ready, ..workspace };
                EffectReport::Rebased { visit, workspace, result, message }
            }
            Effect::Revert { .. } => {
                let result = RevertResult::Clean { commit: "fade".to_owned() };
                EffectReport::Inverted { workspace: workspace("base 0"), result }
            }
            Effect::VerifyLanding { .. } => {
                EffectReport::LandingVerified { result: VerificationResult::Passed }
            }
            Effect::ResetWorktree => EffectReport::WorktreeReset,
            Effect::ResetWorkspace => {
                self.made += 1;
                let workspace = workspace(&format!("base {}", self.made));
                EffectReport::WorkspaceRenewed { workspace, warnings: Vec::new() }
            }
        })
    }

    fn run_result(
        &self,
        fixture: &TaskFixture,
        dice: &mut SeededRandom,
        killed: bool,
    ) -> ExecutionResult {
        if killed && dice.chance(70) {
            return results::turn(ExecutionEnding::Stopped);
        }
        if dice.chance(self.losses) {
            return ExecutionResult::without_work(ExecutionEnding::Lost);
        }
        if dice.chance(2) {
            return results::out_of_quota();
        }
        let judges =
            fixture.task.run.as_ref().is_some_and(|run| run.purpose == ExecutionPurpose::Judge);
        if judges {
            return results::judged(self.verdict(dice));
        }
        let ending = if dice.chance(self.luck.max(50)) {
            ExecutionEnding::Exited { code: 0 }
        } else {
            *dice.pick(&[
                ExecutionEnding::Exited { code: 2 },
                ExecutionEnding::Signalled { signal: 9 },
                ExecutionEnding::TimedOut,
            ])
        };
        ExecutionResult { changed: dice.chance(80), ..results::turn(ending) }
    }

    fn verdict(&self, dice: &mut SeededRandom) -> Option<Verdict> {
        let feedback = "more tests".to_owned();
        if dice.chance(self.luck) {
            return Some(Verdict::Pass { feedback: None });
        }
        match dice.below(4) {
            0 => None,
            1 => Some(Verdict::Blocked { feedback }),
            _ => Some(Verdict::Fail { feedback }),
        }
    }

    fn check_results(&self, dice: &mut SeededRandom, killed: bool) -> Vec<CheckResult> {
        let mut results = vec![results::passed(); dice.below(3)];
        if killed && dice.chance(70) {
            results.push(CheckResult {
                outcome: CheckOutcome::Stopped,
                exit_code: None,
                ..results::failed()
            });
        } else if !dice.chance(self.luck) {
            let outcome = *dice.pick(&[CheckOutcome::Failed, CheckOutcome::TimedOut]);
            results.push(CheckResult { outcome, ..results::failed() });
        }
        results
    }

    fn land_result(&self, dice: &mut SeededRandom) -> LandResult {
        match dice.below(4) {
            0 => results::conflict(),
            1 => results::nothing_to_merge(),
            _ => results::merged(),
        }
    }
}
