//! Validation of a definition (F-5): reports all problems at once, each with its location.

use crate::workflow::state_fields::FieldUse;
use crate::workflow::{
    DefinitionProblem, InvalidWorkflowError, ProblemCode, WorkflowDefinition, WorkflowStateKind,
};
use indexmap::IndexMap;
use std::collections::BTreeSet;

const LONGEST_NAME: usize = 64;

impl WorkflowDefinition {
    /// All problems of this definition; empty means that it can be compiled.
    pub fn problems(&self) -> Vec<DefinitionProblem> {
        let mut check =
            DefinitionCheck { definition: self, index: IndexMap::new(), problems: Vec::new() };
        check.names();
        check.workflow_wide();
        check.fields();
        check.targets();
        check.terminals();
        check.claims();
        check.reachability();
        check.cycles();
        check.problems
    }

    /// The definition if it is valid, else all problems.
    pub fn validated(&self) -> Result<&Self, InvalidWorkflowError> {
        let problems = self.problems();
        if problems.is_empty() {
            Ok(self)
        } else {
            Err(InvalidWorkflowError { name: self.name.clone(), problems })
        }
    }
}

struct DefinitionCheck<'a> {
    definition: &'a WorkflowDefinition,
    /// Index of the first state of each name.
    index: IndexMap<&'a str, usize>,
    problems: Vec<DefinitionProblem>,
}

impl<'a> DefinitionCheck<'a> {
    fn report(&mut self, code: ProblemCode, place: String, message: String) {
        self.problems.push(DefinitionProblem { code, place, line: None, message });
    }

    fn names(&mut self) {
        if self.definition.name.is_empty() {
            self.report(ProblemCode::BadName, "name".into(), "the workflow needs a name".into());
        }
        for (i, state) in self.definition.state.iter().enumerate() {
            let place = format!("state[{i}].name");
            if let Some(why) = bad_name(&state.name) {
                self.report(
                    ProblemCode::BadName,
                    place,
                    format!("state name {:?} {why}", state.name),
                );
            } else if self.index.contains_key(state.name.as_str()) {
                let message =
                    format!("there is already a state \"{}\"; rename one of them", state.name);
                self.report(ProblemCode::DuplicateName, place, message);
            }
            self.index.entry(state.name.as_str()).or_insert(i);
            if let Some(why) = state.role.as_deref().and_then(bad_name) {
                self.report(
                    ProblemCode::BadName,
                    format!("state[{i}].role"),
                    format!("role name {why}"),
                );
            }
        }
    }

    fn workflow_wide(&mut self) {
        let definition = self.definition;
        let expectations = [
            (
                "initial",
                &definition.initial,
                WorkflowStateKind::Queue,
                ProblemCode::InitialNotQueue,
            ),
            ("fault", &definition.fault, WorkflowStateKind::Hold, ProblemCode::FaultNotHold),
            (
                "cancel",
                &definition.cancel,
                WorkflowStateKind::Terminal,
                ProblemCode::CancelNotTerminal,
            ),
        ];
        for (field, target, kind, code) in expectations {
            match self.kind_of(target) {
                None => self.unknown(field.to_owned(), target),
                Some(found) if found != kind => {
                    let message = format!("\"{target}\" must be of kind {kind:?}, not {found:?}")
                        .to_lowercase();
                    self.report(code, field.to_owned(), message);
                }
                Some(_) => {}
            }
        }
    }

    fn fields(&mut self) {
        for (i, state) in self.definition.state.iter().enumerate() {
            let kind = format!("{:?}", state.kind).to_lowercase();
            for (field, present, use_of) in state.fields() {
                let place = format!("state[{i}].{field}");
                match (use_of, present) {
                    (FieldUse::Required, false) => self.report(
                        ProblemCode::MissingField,
                        place,
                        format!("\"{}\" is a {kind} and needs `{field}`", state.name),
                    ),
                    (FieldUse::Forbidden, true) => self.report(
                        ProblemCode::MisplacedField,
                        place,
                        format!(
                            "\"{}\" is a {kind}, which has no use for `{field}`; remove it",
                            state.name
                        ),
                    ),
                    _ => {}
                }
            }
            if state.max_attempts == Some(0) {
                let message = "`max_attempts` must be at least 1".to_owned();
                self.report(ProblemCode::BadNumber, format!("state[{i}].max_attempts"), message);
            }
        }
    }

    fn targets(&mut self) {
        for (i, state) in self.definition.state.iter().enumerate() {
            for edge in state.edges() {
                if !self.index.contains_key(edge.target) {
                    self.unknown(format!("state[{i}].{}", edge.field), edge.target);
                }
            }
        }
    }

    fn terminals(&mut self) {
        if !self.definition.state.iter().any(|state| state.kind == WorkflowStateKind::Terminal) {
            let message = "no state is terminal, so no task could end".to_owned();
            self.report(ProblemCode::NoTerminal, "state".to_owned(), message);
        }
        for (i, state) in self.definition.state.iter().enumerate() {
            if state.kind == WorkflowStateKind::Terminal && !state.manual.is_empty() {
                let message = format!("\"{}\" is terminal; nothing may lead out of it", state.name);
                self.report(ProblemCode::WayOutOfTerminal, format!("state[{i}].manual"), message);
            }
        }
    }

    fn claims(&mut self) {
        if !self.definition.state.iter().any(|state| state.claimable) {
            let message = "no queue is claimable, so no work could ever start".to_owned();
            self.report(ProblemCode::NothingClaimable, "state".to_owned(), message);
        }
        for (i, state) in self.definition.state.iter().enumerate() {
            let Some(target) = state.claim_target.as_deref() else {
                continue;
            };
            if self.kind_of(target).is_some() && !self.leads_to_work(target) {
                let message = format!(
                    "claiming must lead to a work state that is not optional; \"{target}\" does not"
                );
                self.report(
                    ProblemCode::ClaimWithoutWork,
                    format!("state[{i}].claim_target"),
                    message,
                );
            }
        }
    }

    fn reachability(&mut self) {
        let definition = self.definition;
        let mut open: Vec<&str> = vec![&definition.initial, &definition.fault, &definition.cancel];
        let mut seen = BTreeSet::new();
        while let Some(name) = open.pop() {
            if let Some(&i) = self.index.get(name)
                && seen.insert(i)
                && let Some(state) = definition.state.get(i)
            {
                open.extend(state.edges().iter().map(|edge| edge.target));
            }
        }
        for (i, state) in definition.state.iter().enumerate() {
            if self.index.get(state.name.as_str()) == Some(&i) && !seen.contains(&i) {
                let message =
                    format!("nothing leads to \"{}\"; add an edge or remove it", state.name);
                self.report(ProblemCode::Unreachable, format!("state[{i}].name"), message);
            }
        }
    }

    /// A cycle of edges that the engine follows by itself must contain a counted rejection of a gate or a merge state.
    /// Otherwise it could run for ever.
    fn cycles(&mut self) {
        let definition = self.definition;
        let mut reported = BTreeSet::new();
        for start in 0..definition.state.len() {
            let Some(cycle) = self.automatic_cycle(start) else {
                continue;
            };
            let members: BTreeSet<_> = cycle.iter().copied().collect();
            if reported.insert(members) {
                let names: Vec<_> = cycle
                    .iter()
                    .filter_map(|&i| definition.state.get(i))
                    .map(|s| s.name.as_str())
                    .collect();
                let message = format!(
                    "{} → {} can go round without a person; {}",
                    names.join(" → "),
                    names.first().unwrap_or(&""),
                    self.advice(&cycle),
                );
                self.report(ProblemCode::UnboundedCycle, format!("state[{start}]"), message);
            }
        }
    }

    /// Advice how to bound a cycle: at the edge by which a gate or a merge state sends work back.
    fn advice(&self, cycle: &[usize]) -> String {
        let next = cycle.iter().cycle().skip(1);
        for (&at, &next) in cycle.iter().zip(next) {
            let (Some(state), Some(next)) =
                (self.definition.state.get(at), self.definition.state.get(next))
            else {
                continue;
            };
            let edges = state.edges();
            let mut back = edges.iter().filter(|edge| edge.unbounded && edge.target == next.name);
            let bounds = |field: &str| matches!(field, "reject" | "conflict" | "rejected");
            if let Some(edge) = back.find(|edge| bounds(edge.field)) {
                return format!(
                    "give \"{}\" `max_attempts`, or lead its `{}` to a hold",
                    state.name, edge.field
                );
            }
        }
        "lead one of its edges to a hold, or to a gate that a person passes".to_owned()
    }

    /// A path from a state back to itself along unbounded edges, if there is one.
    fn automatic_cycle(&self, start: usize) -> Option<Vec<usize>> {
        let mut came_from: IndexMap<usize, usize> = IndexMap::new();
        let mut open = vec![start];
        while let Some(i) = open.pop() {
            for edge in self.definition.state.get(i)?.edges().iter().filter(|edge| edge.unbounded) {
                let Some(&next) = self.index.get(edge.target) else {
                    continue;
                };
                if next == start {
                    let mut cycle = vec![i];
                    while let Some(&previous) = cycle.last().and_then(|last| came_from.get(last)) {
                        cycle.push(previous);
                    }
                    cycle.reverse();
                    return Some(cycle);
                }
                if !came_from.contains_key(&next) {
                    came_from.insert(next, i);
                    open.push(next);
                }
            }
        }
        None
    }

    /// Whether a claim with this target reaches a work state that is not skipped, as far as can be determined.
    fn leads_to_work(&self, target: &str) -> bool {
        let mut name = target;
        for _ in 0..=self.definition.state.len() {
            let Some(state) = self.index.get(name).and_then(|&i| self.definition.state.get(i))
            else {
                return true;
            };
            match (state.kind, state.optional, state.done.as_deref()) {
                (WorkflowStateKind::Work, true, Some(done)) => name = done,
                (WorkflowStateKind::Work, _, _) => return true,
                _ => return false,
            }
        }
        false
    }

    fn kind_of(&self, name: &str) -> Option<WorkflowStateKind> {
        self.definition.state.get(*self.index.get(name)?).map(|state| state.kind)
    }

    fn unknown(&mut self, place: String, target: &str) {
        let known: Vec<_> = self.index.keys().copied().collect();
        let message =
            format!("there is no state \"{target}\"; the states are {}", known.join(", "));
        self.report(ProblemCode::UnknownTarget, place, message);
    }
}

fn bad_name(name: &str) -> Option<&'static str> {
    let starts_well = name.chars().next().is_some_and(char::is_alphanumeric);
    if !starts_well {
        Some("must begin with a letter or digit")
    } else if name.len() > LONGEST_NAME {
        Some("is longer than 64 bytes")
    } else if !name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.')) {
        Some("may hold letters, digits, space, '_', '-' and '.' only")
    } else {
        None
    }
}
