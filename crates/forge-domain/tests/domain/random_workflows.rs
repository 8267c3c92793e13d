//! Sound workflows by chance, driven by chance: no task is ever left alone, and the engine always comes to rest.

use crate::support::{
    Desk, Dice, World, check_actions, check_rest, check_step, definition, person,
    random_definition, random_task, rename,
};
use forge_domain::Refusal;
use forge_domain::workflow::{Definition, StateName, TEMPLATES, Workflow};

/// Far more than a bounded workflow of this size needs, far less than one that goes round for ever would do.
const MOST_STEPS: usize = 5_000;

/// Drives one task of a workflow through commands, reports, and reports that come late.
fn drive(definition: Definition, dice: &mut Dice) {
    let workflow = Workflow::compile(definition).expect("a sound definition");
    let asked = random_task(&workflow, dice);
    let mut desk = Desk::with(workflow, asked);
    let mut world = World::new(dice);
    for _ in 0..60 {
        if !world.live(&mut desk, dice) {
            break;
        }
        check_step(&desk);
        if dice.chance(8) {
            replace_workflow(&mut desk, dice);
            check_step(&desk);
        }
        if dice.chance(25) {
            check_actions(&desk, &person(1));
        }
    }
    world.settle(&mut desk, dice, MOST_STEPS, check_step);
    check_rest(&desk);
    check_actions(&desk, &person(1));
    desk.check_replay();
}

/// Puts another workflow in the place of the task's own: the same under other names, or any other. Where it has no
/// place for the task, the task stays.
fn replace_workflow(desk: &mut Desk, dice: &mut Dice) {
    let old = desk.workflow.definition().clone();
    let new = if dice.chance(50) {
        rename(&old, |state| format!("{state}i"))
    } else {
        sound_definition(dice)
    };
    let mapping = old.state.iter().filter_map(|state| {
        let namesake = format!("{}i", state.name);
        let fits: Vec<_> = new.state.iter().filter(|other| other.kind == state.kind).collect();
        let same = fits.iter().find(|other| other.name == namesake);
        let to = same.or_else(|| (!fits.is_empty()).then(|| dice.pick(&fits)))?;
        Some((StateName::new(&state.name), StateName::new(&to.name)))
    });
    let mapping = mapping.collect();
    let new = Workflow::compile(new).expect("a sound definition");
    match desk.adopt(person(1), &new, &mapping) {
        Ok(_) => assert_eq!(desk.task.workflow, *new.hash()),
        Err(Refusal::TaskTerminal { .. }) => {}
        Err(Refusal::WorkflowInUse { states }) => {
            assert!(states.iter().all(|held| !mapping.contains_key(&held.state)), "{states:?}");
        }
        Err(refusal) => panic!("{refusal}"),
    }
}

fn sound_definition(dice: &mut Dice) -> Definition {
    loop {
        let definition = random_definition(dice);
        if definition.problems().is_empty() {
            return definition;
        }
    }
}

/// F-5, DESIGN §4: what passes the check cannot leave a task without an effect, a timer or somebody's move, and goes
/// round without people only a bounded number of times.
#[test]
fn f_5_random_sound_workflows_never_strand_a_task() {
    let mut kept = 0;
    for seed in 0..800 {
        let mut dice = Dice::new(seed);
        let definition = random_definition(&mut dice);
        if definition.problems().is_empty() {
            kept += 1;
            drive(definition, &mut dice);
        }
    }
    assert!(kept >= 350, "the generator must make sound workflows often enough; {kept} of 800");
}

/// The same for the workflows that ship.
#[test]
fn f_4_shipped_workflows_never_strand_a_task() {
    for (name, _) in TEMPLATES {
        for seed in 0..60 {
            let mut dice = Dice::new(seed);
            drive(definition(name), &mut dice);
        }
    }
}
