//! Random workflows: any number of states of any kind with edges anywhere, mostly forward so that many are valid.

use super::dice::SeededRandom;
use forge_domain::workflow::{
    CleanupTiming, StateDefinition, TerminalOutcome, WorkflowDefinition, WorkflowStateKind,
};

const ROLES: [&str; 3] = ["coder", "planner", "reviewer"];

/// A definition that may be invalid. A state in which people act always has an outgoing edge, because the validation
/// does not require one. For the same reason no gate or turn leads to the fault state or back to itself.
pub(crate) fn random_definition(dice: &mut SeededRandom) -> WorkflowDefinition {
    let kinds = kinds(dice);
    let mut names: Vec<String> = (0..kinds.len()).map(|i| format!("s{i}")).collect();
    dice.shuffle(&mut names);
    let of_kind = |kind| kinds.iter().position(|&found| found == kind).expect("each is there");
    let last_terminal =
        kinds.iter().rposition(|&kind| kind == WorkflowStateKind::Terminal).expect("there is one");
    let mut plan = WorkflowPlan {
        fault: of_kind(WorkflowStateKind::Hold),
        cancel: last_terminal,
        kinds,
        names,
    };
    let mut state: Vec<_> = (0..plan.kinds.len()).map(|i| plan.state(i, dice)).collect();
    plan.make_sense(&mut state, dice);
    dice.shuffle(&mut state);
    WorkflowDefinition {
        name: "by chance".to_owned(),
        initial: plan.names[of_initial(&plan.kinds)].clone(),
        fault: plan.names[plan.fault].clone(),
        cancel: plan.names[plan.cancel].clone(),
        state,
    }
}

fn of_initial(kinds: &[WorkflowStateKind]) -> usize {
    kinds.iter().position(|&kind| kind == WorkflowStateKind::Queue).expect("there is a queue")
}

/// Kinds in the order in which a task would pass them.
fn kinds(dice: &mut SeededRandom) -> Vec<WorkflowStateKind> {
    let mut kinds = vec![WorkflowStateKind::Queue; 1 + dice.below(3)];
    let mut middle = vec![WorkflowStateKind::Work; 1 + dice.below(4)];
    middle.extend(vec![WorkflowStateKind::Gate; dice.below(4)]);
    middle.extend(vec![WorkflowStateKind::Merge; dice.below(3)]);
    dice.shuffle(&mut middle);
    kinds.extend(middle);
    kinds.extend(vec![WorkflowStateKind::Hold; 1 + dice.below(2)]);
    kinds.extend(vec![WorkflowStateKind::Terminal; 2 + dice.below(2)]);
    kinds
}

struct WorkflowPlan {
    kinds: Vec<WorkflowStateKind>,
    names: Vec<String>,
    fault: usize,
    cancel: usize,
}

impl WorkflowPlan {
    fn state(&self, i: usize, dice: &mut SeededRandom) -> StateDefinition {
        let mut state = blank(&self.names[i], self.kinds[i]);
        match self.kinds[i] {
            WorkflowStateKind::Queue => {
                if dice.chance(60) {
                    let works = self.those(&[WorkflowStateKind::Work]);
                    state.claimable = true;
                    state.claim_target = Some(self.names[*dice.pick(&works)].clone());
                }
                state.manual = self.way_on(i, dice);
            }
            WorkflowStateKind::Work => {
                state.role = Some((*dice.pick(&ROLES)).to_owned());
                state.optional = dice.chance(25);
                state.done = Some(self.ahead(i, dice));
                state.failed = self.rarely(dice, 70);
                state.manual = self.anywhere(dice);
            }
            WorkflowStateKind::Gate => {
                state.role = dice.chance(60).then(|| (*dice.pick(&ROLES)).to_owned());
                state.pass = Some(self.ahead(i, dice));
                state.auto_advance = dice.chance(50);
                state.max_attempts = dice.chance(85).then(|| 1 + dice.below(3) as u32);
                state.reject =
                    dice.chance(85).then(|| self.names[dice.below(self.names.len())].clone());
                state.exhausted = self.rarely(dice, 70);
                state.manual = self.anywhere(dice);
            }
            WorkflowStateKind::Merge => {
                state.merged = Some(self.ahead(i, dice));
                state.conflict = self.rarely(dice, 60);
                state.rejected = self.rarely(dice, 70);
                state.exhausted = self.rarely(dice, 70);
                state.max_attempts = dice.chance(60).then(|| 1 + dice.below(3) as u32);
                state.manual = self.anywhere(dice);
            }
            WorkflowStateKind::Hold => {
                state.manual = self.way_on(i, dice);
                cleanup(&mut state, dice);
            }
            WorkflowStateKind::Terminal => {
                state.outcome = Some(*dice.pick(&[
                    TerminalOutcome::Success,
                    TerminalOutcome::Failure,
                    TerminalOutcome::Cancelled,
                ]));
                cleanup(&mut state, dice);
            }
        }
        state
    }

    /// Most definitions fail for the same two reasons; these are usually repaired.
    fn make_sense(&mut self, states: &mut [StateDefinition], dice: &mut SeededRandom) {
        if !states.iter().any(|state| state.claimable) {
            let works = self.those(&[WorkflowStateKind::Work]);
            states[0].claimable = true;
            states[0].claim_target = Some(self.names[works[0]].clone());
        }
        for i in 0..states.len() {
            let name = states[i].name.clone();
            if dice.chance(90) && !states.iter().any(|state| leads_to(state, &name)) {
                let givers: Vec<_> = (0..states.len())
                    .filter(|&j| j != i && self.kinds[j] != WorkflowStateKind::Terminal)
                    .collect();
                states[*dice.pick(&givers)].manual.push(name);
            }
        }
    }

    fn those(&self, kinds: &[WorkflowStateKind]) -> Vec<usize> {
        (0..self.kinds.len()).filter(|&i| kinds.contains(&self.kinds[i])).collect()
    }

    /// Mostly a later state; never itself, the fault state or the cancel state.
    fn ahead(&self, i: usize, dice: &mut SeededRandom) -> String {
        let fits = |&j: &usize| j != i && j != self.fault && j != self.cancel;
        let from = if dice.chance(92) { i + 1 } else { 0 };
        let targets: Vec<_> = (from..self.kinds.len()).filter(fits).collect();
        self.names[*dice.pick(&targets)].clone()
    }

    fn rarely(&self, dice: &mut SeededRandom, percent_absent: usize) -> Option<String> {
        (!dice.chance(percent_absent)).then(|| self.names[dice.below(self.names.len())].clone())
    }

    fn anywhere(&self, dice: &mut SeededRandom) -> Vec<String> {
        (0..dice.below(3)).map(|_| self.names[dice.below(self.names.len())].clone()).collect()
    }

    /// Any states, and at least one queue or work state other than itself.
    fn way_on(&self, i: usize, dice: &mut SeededRandom) -> Vec<String> {
        let mut targets = self.anywhere(dice);
        let mut sure = self.those(&[WorkflowStateKind::Queue, WorkflowStateKind::Work]);
        sure.retain(|&j| j != i);
        targets.push(self.names[*dice.pick(&sure)].clone());
        targets
    }
}

fn leads_to(state: &StateDefinition, name: &str) -> bool {
    let named = [
        &state.claim_target,
        &state.done,
        &state.failed,
        &state.pass,
        &state.reject,
        &state.exhausted,
        &state.merged,
        &state.conflict,
        &state.rejected,
    ];
    state.name != name
        && (named.iter().any(|target| target.as_deref() == Some(name))
            || state.manual.iter().any(|target| target == name))
}

fn cleanup(state: &mut StateDefinition, dice: &mut SeededRandom) {
    state.cleanup =
        *dice.pick(&[None, Some(CleanupTiming::Immediate), Some(CleanupTiming::Delayed)]);
    if state.cleanup == Some(CleanupTiming::Delayed) {
        state.cleanup_seconds = dice.chance(50).then(|| dice.below(1000) as u64);
    }
}

/// A state without edges.
fn blank(name: &str, kind: WorkflowStateKind) -> StateDefinition {
    StateDefinition {
        name: name.to_owned(),
        kind,
        phase: None,
        role: None,
        optional: false,
        claimable: false,
        claim_target: None,
        done: None,
        failed: None,
        pass: None,
        reject: None,
        exhausted: None,
        max_attempts: None,
        auto_advance: false,
        merged: None,
        conflict: None,
        rejected: None,
        manual: Vec::new(),
        outcome: None,
        cleanup: None,
        cleanup_seconds: None,
    }
}
