//! P-7: no rule depends on a state's name. Every shipped workflow is driven under made-up names. The same commands with
//! replaced names must give the same decisions and refusals with replaced names.

use crate::support::{
    EffectSimulation, GivenCommand, SeededRandom, TaskFixture, definition, person, random_task,
    rename,
};
use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::{
    StateName, TEMPLATES, TaskStanding, Workflow, WorkflowDefinition, WorkflowMigration,
};
use forge_domain::{
    AdoptWorkflow, CommandEnvelope, CommandId, CreateTask, Decision, Refusal, TaskActionKind,
    TaskCommand, Timestamp, adopt_workflow, allowed_actions, create, decide,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Maps made-up names, which occur nowhere else, to the names of a variant.
struct NameMapping(BTreeMap<String, String>);

impl NameMapping {
    fn of<'a>(&'a self, name: &'a str) -> &'a str {
        self.0.get(name).map_or(name, String::as_str)
    }

    fn in_text(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
    }
}

/// A made-up name of fixed width, so that none is a prefix of another.
fn token(index: usize) -> String {
    format!("zqx{index:02}qz")
}

/// A decision as plain data, without the workflow's hash.
fn plain(decision: &Decision) -> Value {
    let mut value = json!({
        "snapshot": decision.snapshot,
        "events": decision.events,
        "effects": decision.effects,
        "supersedes": decision.supersedes,
    });
    forget_hash(&mut value);
    value
}

fn forget_hash(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("workflow");
            fields.values_mut().for_each(forget_hash);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_hash),
        _ => {}
    }
}

/// A refusal as text; the order of a workflow's roles is the order of its states.
fn plain_refusal(refusal: &Refusal) -> String {
    match refusal.clone() {
        Refusal::UnknownRole { role, mut roles } => {
            roles.sort();
            format!("{:?}", Refusal::UnknownRole { role, roles })
        }
        other => format!("{other:?}; {other}"),
    }
}

/// Gives a variant all commands of the original, and compares the answers.
fn compare(original: &TaskFixture, asked: &CreateTask, variant: &Workflow, names: &NameMapping) {
    let first = CommandEnvelope {
        id: CommandId::new(crate::support::uuid(0x10_0000)),
        at: Timestamp::from_millis(1_000),
        actor: person(1),
        command: asked.clone(),
    };
    let task = create(variant, &first).expect("the same task can be made").snapshot;
    follow(original, 0, task, variant, names);
}

/// Gives a task of a variant the original's commands from a given one on, and compares the answers.
fn follow(
    original: &TaskFixture,
    from: usize,
    mut task: TaskSnapshot,
    variant: &Workflow,
    names: &NameMapping,
) {
    for GivenCommand { facts, envelope, answer } in &original.given[from..] {
        let mut envelope = envelope.clone();
        if let TaskCommand::Move { to, .. } = &mut envelope.command {
            *to = StateName::new(names.of(to.as_str()));
        }
        match (answer, decide(variant, &task, facts, &envelope)) {
            (Ok(expected), Ok(found)) => {
                let expected = names.in_text(&plain(expected).to_string());
                let expected: Value = serde_json::from_str(&expected).expect("still data");
                assert_eq!(plain(&found), expected, "{:?}", envelope.command);
                task = found.snapshot;
            }
            (Err(expected), Err(found)) => {
                let expected = names.in_text(&plain_refusal(expected));
                assert_eq!(plain_refusal(&found), expected, "{:?}", envelope.command);
            }
            (expected, found) => {
                panic!("{:?}: {expected:?} became {found:?}", envelope.command)
            }
        }
    }
    let offers = |fixture: &Workflow, task| {
        let mut kinds: Vec<_> = allowed_actions(fixture, task, &person(1))
            .into_iter()
            .map(|action| action.kind)
            .collect();
        kinds.sort_by_key(|kind| {
            matches!(kind, TaskActionKind::Assign { .. }).then(|| format!("{kind:?}"))
        });
        format!("{kinds:?}")
    };
    let expected = names.in_text(&offers(&original.workflow, &original.task));
    assert_eq!(offers(variant, &task), expected, "what is offered at the end");
}

/// The random life of one task in a template under made-up names.
struct TaskHistory {
    shipped: WorkflowDefinition,
    known: Vec<String>,
    asked: CreateTask,
    fixture: TaskFixture,
}

impl TaskHistory {
    fn of(template: &str, dice: &mut SeededRandom) -> Self {
        let shipped = definition(template);
        let known: Vec<_> = shipped.state.iter().map(|state| state.name.clone()).collect();
        let made_up = rename(&shipped, |name| token(index(&known, name)));
        let made_up = Workflow::compile(made_up).expect("sound");
        let asked = random_task(&made_up, dice);
        let mut fixture = TaskFixture::with(made_up, asked.clone());
        let mut world = EffectSimulation::new(dice);
        for _ in 0..70 {
            if !world.live(&mut fixture, dice) {
                break;
            }
        }
        Self { shipped, known, asked, fixture }
    }

    /// The template with its own names.
    fn plain(&self) -> (Workflow, NameMapping) {
        (Workflow::compile(self.shipped.clone()).expect("sound"), self.names(&self.known))
    }

    /// The worst names: each state has the name of another one, at another position in the file.
    fn mixed(&self, dice: &mut SeededRandom) -> (Workflow, NameMapping) {
        let mut swapped = self.known.clone();
        dice.shuffle(&mut swapped);
        let mut mixed = rename(&self.shipped, |name| swapped[index(&self.known, name)].clone());
        dice.shuffle(&mut mixed.state);
        (Workflow::compile(mixed).expect("sound"), self.names(&swapped))
    }

    fn names(&self, to: &[String]) -> NameMapping {
        NameMapping(to.iter().enumerate().map(|(i, name)| (token(i), name.clone())).collect())
    }

    /// The task after that many commands, unless it had ended.
    fn alive_after(&self, given: usize) -> Option<TaskSnapshot> {
        let answers = self.fixture.given[..given].iter().rev().flat_map(|given| &given.answer);
        let task = match answers.map(|decision| &decision.snapshot).next() {
            Some(task) => task.clone(),
            None => TaskFixture::with(self.fixture.workflow.clone(), self.asked.clone()).task,
        };
        matches!(task.standing, TaskStanding::Open | TaskStanding::Submitted).then_some(task)
    }
}

fn index(known: &[String], name: &str) -> usize {
    known.iter().position(|found| found == name).expect("it is there")
}

#[test]
fn p_7_renaming_and_reordering_every_state_changes_nothing() {
    let mut transitions = 0;
    for (template, _) in TEMPLATES {
        for seed in 0..60 {
            let mut dice = SeededRandom::new(seed);
            let life = TaskHistory::of(template, &mut dice);
            transitions += life.fixture.task.visit;
            for (variant, names) in [life.plain(), life.mixed(&mut dice)] {
                compare(&life.fixture, &life.asked, &variant, &names);
            }
        }
    }
    assert!(
        transitions > 1_500,
        "the sequences must move tasks about; they did {transitions} times"
    );
}

/// F-5, P-7: a task that is moved at any time into the same workflow under other names continues unchanged: the same
/// reports and commands with replaced names give the same decisions and refusals.
#[test]
fn f_5_p_7_a_task_moved_to_renamed_states_continues_unchanged() {
    let (mut adopted, mut busy, mut rejected) = (0, 0, 0);
    for (template, _) in TEMPLATES {
        for seed in 0..80 {
            let mut dice = SeededRandom::new(seed);
            let life = TaskHistory::of(template, &mut dice);
            let (variant, names) = life.mixed(&mut dice);
            let mapping =
                names.0.iter().map(|(from, to)| (StateName::new(from), StateName::new(to)));
            let mapping = mapping.collect();
            let succession = WorkflowMigration::new(&life.fixture.workflow, &variant, &mapping)
                .expect("it fits");
            for _ in 0..4 {
                let given = dice.below(life.fixture.given.len() + 1);
                let Some(task) = life.alive_after(given) else {
                    continue;
                };
                let envelope = CommandEnvelope {
                    id: CommandId::new(crate::support::uuid(0x20_0000)),
                    at: task.updated_at,
                    actor: person(1),
                    command: AdoptWorkflow,
                };
                let decision =
                    adopt_workflow(&succession, &task, &envelope).expect("every state is mapped");
                assert_eq!(decision.effects, [], "nothing is begun");
                assert!(!decision.supersedes, "nothing is ended");
                let mut heir = decision.snapshot;
                assert_eq!(heir.version, task.version + 1, "people see another board");
                // The remaining differences: the version counts on from here, and older annotations keep the old names.
                heir.version -= 1;
                if let Some(trouble) = &mut heir.annotation {
                    trouble.message = names.in_text(&trouble.message);
                }
                adopted += 1;
                busy += usize::from(task.activity.is_some());
                rejected += usize::from(!task.rejections.is_empty());
                follow(&life.fixture, given, heir, &variant, &names);
            }
        }
    }
    assert!(adopted > 800 && busy > 200 && rejected > 20, "{adopted}, {busy}, {rejected}");
}
