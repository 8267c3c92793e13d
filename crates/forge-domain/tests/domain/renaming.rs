//! P-7: nothing hangs on a state's name. Every shipped workflow is driven under made-up names; the same commands, with
//! the names exchanged, must lead to the same decisions and refusals, with the names exchanged.

use crate::support::{Desk, Dice, Given, World, definition, person, random_task, rename};
use forge_domain::task::Snapshot;
use forge_domain::workflow::{Definition, Standing, StateName, Succession, TEMPLATES, Workflow};
use forge_domain::{
    ActionKind, Adopt, Command, CommandId, Create, Decision, Envelope, Refusal, Timestamp, adopt,
    allowed, create, decide,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// From made-up names, which occur nowhere else, to the names of a variant.
struct Names(BTreeMap<String, String>);

impl Names {
    fn of<'a>(&'a self, name: &'a str) -> &'a str {
        self.0.get(name).map_or(name, String::as_str)
    }

    fn in_text(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
    }
}

/// A made-up name of fixed width, so that none begins another.
fn token(index: usize) -> String {
    format!("zqx{index:02}qz")
}

/// A decision as plain data. The workflow's hash is its own affair.
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

/// Gives a variant everything the original was given, and compares the answers.
fn compare(original: &Desk, asked: &Create, variant: &Workflow, names: &Names) {
    let first = Envelope {
        id: CommandId::new(crate::support::uuid(0x10_0000)),
        at: Timestamp::from_millis(1_000),
        actor: person(1),
        command: asked.clone(),
    };
    let task = create(variant, &first).expect("the same task can be made").snapshot;
    follow(original, 0, task, variant, names);
}

/// Gives a task of a variant what the original was given from one command on, and compares the answers.
fn follow(original: &Desk, from: usize, mut task: Snapshot, variant: &Workflow, names: &Names) {
    for Given { facts, envelope, answer } in &original.given[from..] {
        let mut envelope = envelope.clone();
        if let Command::Move { to, .. } = &mut envelope.command {
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
    let offers = |desk: &Workflow, task| {
        let mut kinds: Vec<_> =
            allowed(desk, task, &person(1)).into_iter().map(|action| action.kind).collect();
        kinds.sort_by_key(|kind| {
            matches!(kind, ActionKind::Assign { .. }).then(|| format!("{kind:?}"))
        });
        format!("{kinds:?}")
    };
    let expected = names.in_text(&offers(&original.workflow, &original.task));
    assert_eq!(offers(variant, &task), expected, "what is offered at the end");
}

/// One task's life by chance in a template under made-up names.
struct Life {
    shipped: Definition,
    known: Vec<String>,
    asked: Create,
    desk: Desk,
}

impl Life {
    fn of(template: &str, dice: &mut Dice) -> Self {
        let shipped = definition(template);
        let known: Vec<_> = shipped.state.iter().map(|state| state.name.clone()).collect();
        let made_up = rename(&shipped, |name| token(index(&known, name)));
        let made_up = Workflow::compile(made_up).expect("sound");
        let asked = random_task(&made_up, dice);
        let mut desk = Desk::with(made_up, asked.clone());
        let mut world = World::new(dice);
        for _ in 0..70 {
            if !world.live(&mut desk, dice) {
                break;
            }
        }
        Self { shipped, known, asked, desk }
    }

    /// The template as it is.
    fn plain(&self) -> (Workflow, Names) {
        (Workflow::compile(self.shipped.clone()).expect("sound"), self.names(&self.known))
    }

    /// The worst names: each state carries the name of another, in another place of the file.
    fn mixed(&self, dice: &mut Dice) -> (Workflow, Names) {
        let mut swapped = self.known.clone();
        dice.shuffle(&mut swapped);
        let mut mixed = rename(&self.shipped, |name| swapped[index(&self.known, name)].clone());
        dice.shuffle(&mut mixed.state);
        (Workflow::compile(mixed).expect("sound"), self.names(&swapped))
    }

    fn names(&self, to: &[String]) -> Names {
        Names(to.iter().enumerate().map(|(i, name)| (token(i), name.clone())).collect())
    }

    /// The task once that many commands had been given, unless it had ended.
    fn alive_after(&self, given: usize) -> Option<Snapshot> {
        let answers = self.desk.given[..given].iter().rev().flat_map(|given| &given.answer);
        let task = match answers.map(|decision| &decision.snapshot).next() {
            Some(task) => task.clone(),
            None => Desk::with(self.desk.workflow.clone(), self.asked.clone()).task,
        };
        matches!(task.standing, Standing::Open | Standing::Submitted).then_some(task)
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
            let mut dice = Dice::new(seed);
            let life = Life::of(template, &mut dice);
            transitions += life.desk.task.visit;
            for (variant, names) in [life.plain(), life.mixed(&mut dice)] {
                compare(&life.desk, &life.asked, &variant, &names);
            }
        }
    }
    assert!(
        transitions > 1_500,
        "the sequences must move tasks about; they did {transitions} times"
    );
}

/// F-5, P-7: a task that is adopted at any moment into the same workflow under other names goes on as if nothing had
/// happened: the same reports and commands, with the names exchanged, lead to the same decisions and refusals.
#[test]
fn f_5_p_7_a_task_adopted_under_other_names_goes_on_as_it_would_have() {
    let (mut adopted, mut busy, mut rejected) = (0, 0, 0);
    for (template, _) in TEMPLATES {
        for seed in 0..80 {
            let mut dice = Dice::new(seed);
            let life = Life::of(template, &mut dice);
            let (variant, names) = life.mixed(&mut dice);
            let mapping =
                names.0.iter().map(|(from, to)| (StateName::new(from), StateName::new(to)));
            let mapping = mapping.collect();
            let succession =
                Succession::new(&life.desk.workflow, &variant, &mapping).expect("it fits");
            for _ in 0..4 {
                let given = dice.below(life.desk.given.len() + 1);
                let Some(task) = life.alive_after(given) else {
                    continue;
                };
                let envelope = Envelope {
                    id: CommandId::new(crate::support::uuid(0x20_0000)),
                    at: task.updated_at,
                    actor: person(1),
                    command: Adopt,
                };
                let decision = adopt(&succession, &task, &envelope).expect("every state is mapped");
                assert_eq!(decision.effects, [], "nothing is begun");
                assert!(!decision.supersedes, "nothing is ended");
                let mut heir = decision.snapshot;
                assert_eq!(heir.version, task.version + 1, "people see another board");
                // The differences that stay: what comes after counts on from here, and what was said about a trouble
                // before keeps the names of its time.
                heir.version -= 1;
                if let Some(trouble) = &mut heir.annotation {
                    trouble.message = names.in_text(&trouble.message);
                }
                adopted += 1;
                busy += usize::from(task.activity.is_some());
                rejected += usize::from(!task.rejections.is_empty());
                follow(&life.desk, given, heir, &variant, &names);
            }
        }
    }
    assert!(adopted > 800 && busy > 200 && rejected > 20, "{adopted}, {busy}, {rejected}");
}
