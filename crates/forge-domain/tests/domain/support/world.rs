//! An engine and a world behind it: begins effects in their lanes, ends them honestly but as chance will have it, and
//! reports late where a real one could. What was superseded before it began never happens; what had begun goes on.

use super::cast::machine;
use super::desk::Desk;
use super::dice::Dice;
use super::effects::{Stage, Step, startable};
use super::laws::check_begin;
use super::player::play;
use super::results;
use super::script::{process, workspace};
use forge_domain::task::{AnnotationType, Purpose, Verified, Workspace, WorkspaceStatus};
use forge_domain::workflow::Standing;
use forge_domain::{
    CheckOutcome, CheckResult, Command, Decision, Effect, Ending, Inverted, LandResult, Lane,
    Rebased, Report, RunResult, Silence, Verdict,
};

/// How the world is disposed, in percent.
#[derive(Debug, Clone)]
pub(crate) struct World {
    /// How often people do something although the engine is at work.
    unrest: usize,
    /// Turns and checks that end well.
    luck: usize,
    /// Steps that can never succeed.
    breakage: usize,
    /// Runs that are lost with their server.
    losses: usize,
    /// Worktrees made anew so far: a retired branch starts from another commit.
    made: u32,
}

impl World {
    pub(crate) fn new(dice: &mut Dice) -> Self {
        Self {
            unrest: *dice.pick(&[5, 15, 40]),
            luck: *dice.pick(&[5, 50, 90]),
            breakage: dice.below(8),
            losses: dice.below(15),
            made: 0,
        }
    }

    /// Lets the engine or the people do something. False when the task has ended and nothing is left to do.
    pub(crate) fn live(&mut self, desk: &mut Desk, dice: &mut Dice) -> bool {
        let over = matches!(desk.task.standing, Standing::Succeeded | Standing::Ended);
        if over && desk.steps.is_empty() && dice.chance(30) {
            return false;
        }
        if dice.chance(self.unrest) || !self.advance(desk, dice) {
            play(desk, dice);
        }
        true
    }

    /// Does one thing. False if there is nothing to do, not even later.
    pub(crate) fn advance(&mut self, desk: &mut Desk, dice: &mut Dice) -> bool {
        let begun: Vec<_> =
            (0..desk.steps.len()).filter(|&i| desk.steps[i].stage != Stage::Waiting).collect();
        let ready: Vec<_> = startable(&desk.steps)
            .into_iter()
            .filter(|&i| desk.steps[i].planned.not_before <= desk.now())
            .collect();
        let options: Vec<_> = begun.iter().chain(&ready).copied().collect();
        if options.is_empty() {
            return self.wait(desk);
        }
        let index = *dice.pick(&options);
        if self.is_overtaken(desk, &desk.steps[index]) {
            desk.steps.remove(index);
        } else if desk.steps[index].stage == Stage::Waiting {
            check_begin(desk, &desk.steps[index]);
            desk.steps[index].stage = Stage::Begun;
        } else {
            self.go_on(desk, dice, index);
        }
        true
    }

    /// Runs the engine alone until it rests; the number of things it did.
    pub(crate) fn settle(
        &mut self,
        desk: &mut Desk,
        dice: &mut Dice,
        most: usize,
        mut after_each: impl FnMut(&Desk),
    ) -> usize {
        for count in 0..most {
            if !self.advance(desk, dice) {
                return count;
            }
            after_each(desk);
        }
        panic!("the engine does not come to rest in {most} steps; it is in {:?}", desk.state());
    }

    /// A landing that waited to look again finds the task moved on, and looks no more.
    fn is_overtaken(&self, desk: &Desk, step: &Step) -> bool {
        let stale = matches!(*step.effect(), Effect::Land { visit } if visit != desk.task.visit);
        stale && step.tried && step.stage == Stage::Waiting
    }

    /// Lets time pass until the next effect may begin.
    fn wait(&self, desk: &mut Desk) -> bool {
        let next =
            startable(&desk.steps).into_iter().map(|i| desk.steps[i].planned.not_before).min();
        if let Some(moment) = next {
            desk.wait_until(moment);
        }
        next.is_some()
    }

    fn go_on(&mut self, desk: &mut Desk, dice: &mut Dice, index: usize) {
        let step = desk.steps[index].clone();
        let starts = matches!(step.effect(), Effect::RunTurn { .. }) && step.stage == Stage::Begun;
        if starts && dice.chance(80) {
            let Effect::RunTurn { execution } = *step.effect() else {
                return;
            };
            desk.steps[index].stage = Stage::Started;
            desk.report(Report::RunStarted { execution, process: process() });
            if dice.chance(15) {
                let since = desk.now();
                let stages =
                    [Silence::Stalled { since }, Silence::Broken, Silence::Stuck { since }];
                for silence in stages.into_iter().take(1 + dice.below(3)) {
                    desk.report(Report::Silence { execution, silence });
                }
            }
            return;
        }
        if let Some(report) = self.setback(dice, &step) {
            // The engine tries again: the row stays, and waits.
            let later = desk.now().plus_seconds(5);
            desk.steps[index].stage = Stage::Waiting;
            desk.steps[index].planned.not_before = later;
            desk.steps[index].tried = true;
            self.deliver(desk, report);
            return;
        }
        desk.steps.remove(index);
        if let Effect::Stop { mark } = *step.effect() {
            for other in &mut desk.steps {
                other.killed |= other.stage != Stage::Waiting && other.mark() == Some(mark);
            }
        }
        if let Some(report) = self.ending(desk, dice, &step) {
            self.deliver(desk, report);
        }
    }

    fn deliver(&self, desk: &mut Desk, report: Report) -> Decision {
        desk.accept(machine(), Command::Report(report))
    }

    /// What keeps an effect from ending for the moment.
    fn setback(&self, dice: &mut Dice, step: &Step) -> Option<Report> {
        if !dice.chance(20) {
            return None;
        }
        match *step.effect() {
            Effect::Land { visit } => {
                Some(Report::LandingEnded { visit, result: results::dirty() })
            }
            Effect::CleanWorkspace { .. } => {
                Some(Report::CleaningFailed { error: "busy".to_owned() })
            }
            _ => None,
        }
    }

    /// How an effect ends. None: it was killed and its row closed without a word.
    fn ending(&mut self, desk: &Desk, dice: &mut Dice, step: &Step) -> Option<Report> {
        let can_break = !matches!(step.effect(), Effect::CleanWorkspace { .. })
            && !matches!(step.lane(), Lane::Control | Lane::Message);
        let breakage = if step.killed { 33 } else { self.breakage };
        if can_break && dice.chance(breakage) {
            return Some(Report::StepFailed {
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
                    Report::WorkspaceMade { execution, workspace }
                } else {
                    Report::WorkspaceReady { execution, workspace }
                }
            }
            Effect::SetUpWorkspace { execution } => {
                Report::SetupEnded { execution, stopped: step.killed }
            }
            Effect::RunTurn { execution } => {
                let result = self.run_result(desk, dice, step.killed);
                Report::RunEnded { execution, result }
            }
            Effect::AwaitQuota { .. } | Effect::AwaitBudget => Report::RunDue,
            Effect::DeliverSteer { execution } => Report::SteerDelivered { execution },
            Effect::TellParent { .. } => Report::ParentTold,
            Effect::BeginTurn { .. } => Report::TurnBegun,
            Effect::EndTurns => Report::TurnChanged { ended: false },
            Effect::Stop { mark } => Report::Stopped { mark },
            Effect::RunChecks { review } => Report::ChecksEnded {
                review,
                commit: "c0ffee".to_owned(),
                results: self.check_results(dice, step.killed),
                setup_failed: dice.chance(5),
                receipt: None,
                taken_from: None,
            },
            Effect::Land { visit } => {
                Report::LandingEnded { visit, result: self.land_result(dice) }
            }
            Effect::CleanWorkspace { retire_branch } => {
                self.made += u32::from(retire_branch);
                Report::WorkspaceCleaned { branch_deleted: retire_branch, warnings: Vec::new() }
            }
            Effect::Rebase { visit, message } => {
                let target = "main".to_owned();
                let result = match dice.below(3) {
                    0 => Rebased::Merged { target, commit: "fade".to_owned() },
                    1 => {
                        let files = vec!["src/a.rs".to_owned()];
                        Rebased::Conflict { target, files, hunks: Vec::new() }
                    }
                    _ => Rebased::UpToDate { target },
                };
                let known = desk.task.workspace.clone();
                let workspace = known.unwrap_or_else(|| workspace(&format!("base {}", self.made)));
                let workspace = Workspace { status: WorkspaceStatus::Ready, ..workspace };
                Report::Rebased { visit, workspace, result, message }
            }
            Effect::Revert { .. } => {
                let result = Inverted::Clean { commit: "fade".to_owned() };
                Report::Inverted { workspace: workspace("base 0"), result }
            }
            Effect::VerifyLanding { .. } => Report::LandingVerified { result: Verified::Passed },
            Effect::ResetWorktree => Report::WorktreeReset,
            Effect::ResetWorkspace => {
                self.made += 1;
                let workspace = workspace(&format!("base {}", self.made));
                Report::WorkspaceRenewed { workspace, warnings: Vec::new() }
            }
        })
    }

    fn run_result(&self, desk: &Desk, dice: &mut Dice, killed: bool) -> RunResult {
        if killed && dice.chance(70) {
            return results::turn(Ending::Stopped);
        }
        if dice.chance(self.losses) {
            return RunResult::bare(Ending::Lost);
        }
        if dice.chance(2) {
            return results::out_of_quota();
        }
        let judges = desk.task.run.as_ref().is_some_and(|run| run.purpose == Purpose::Judge);
        if judges {
            return results::judged(self.verdict(dice));
        }
        let ending = if dice.chance(self.luck.max(50)) {
            Ending::Exited { code: 0 }
        } else {
            *dice.pick(&[
                Ending::Exited { code: 2 },
                Ending::Signalled { signal: 9 },
                Ending::TimedOut,
            ])
        };
        RunResult { changed: dice.chance(80), ..results::turn(ending) }
    }

    fn verdict(&self, dice: &mut Dice) -> Option<Verdict> {
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

    fn check_results(&self, dice: &mut Dice, killed: bool) -> Vec<CheckResult> {
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

    fn land_result(&self, dice: &mut Dice) -> LandResult {
        match dice.below(4) {
            0 => results::conflict(),
            1 => results::nothing_to_merge(),
            _ => results::merged(),
        }
    }
}
