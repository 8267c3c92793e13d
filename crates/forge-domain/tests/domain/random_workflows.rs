//! Random valid workflows, driven at random: no task is ever stranded, and the engine always becomes idle.

use crate::support::{
    EffectSimulation, SeededRandom, TaskFixture, check_actions, check_rest, check_step, definition,
    person, random_definition, random_task, rename,
};
use forge_domain::Refusal;
use forge_domain::workflow::{StateName, TEMPLATES, Workflow, WorkflowDefinition};

/// Far more steps than a bounded workflow of this size needs, far fewer than an endless cycle would take.
const MOST_STEPS: usize = 5_000;

/// Drives one task of a workflow through commands, reports, and late reports.
fn drive(definition: WorkflowDefinition, dice: &mut SeededRandom) {
    let workflow = Workflow::compile(definition).expect("a sound definition");
    let asked = random_task(&workflow, dice);
    let mut fixture = TaskFixture::with(workflow, asked);
    let mut world = EffectSimulation::new(dice);
    for _ in 0..60 {
        if !world.live(&mut fixture, dice) {
            break;
        }
        check_step(&fixture);
        if dice.chance(8) {
            replace_workflow(&mut fixture, dice);
            check_step(&fixture);
        }
        if dice.chance(25) {
            check_actions(&fixture, &person(1));
        }
    }
    world.settle(&mut fixture, dice, MOST_STEPS, check_step);
    check_rest(&fixture);
    check_actions(&fixture, &person(1));
    fixture.check_replay();
}

/// Replaces the task's workflow by the same one under other names, or by any other. If the task's state has no
/// successor, the task stays.
fn replace_workflow(fixture: &mut TaskFixture, dice: &mut SeededRandom) {
    let old = fixture.workflow.definition().clone();
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
    match fixture.adopt(person(1), &new, &mapping) {
        Ok(_) => assert_eq!(fixture.task.workflow, *new.hash()),
        Err(Refusal::TaskTerminal { .. }) => {}
        Err(Refusal::WorkflowInUse { states }) => {
            assert!(states.iter().all(|held| !mapping.contains_key(&held.state)), "{states:?}");
        }
        Err(refusal) => panic!("{refusal}"),
    }
}

fn sound_definition(dice: &mut SeededRandom) -> WorkflowDefinition {
    loop {
        let definition = random_definition(dice);
        if definition.problems().is_empty() {
            return definition;
        }
    }
}

/// F-5, DESIGN §4: a workflow that passes the validation cannot leave a task without an effect, a timer or a person's
/// action, and cycles without people only a bounded number of times.
#[test]
fn f_5_random_valid_workflows_never_strand_a_task() {
    let mut kept = 0;
    for seed in 0..800 {
        let mut dice = SeededRandom::new(seed);
        let definition = random_definition(&mut dice);
        if definition.problems().is_empty() {
            kept += 1;
            drive(definition, &mut dice);
        }
    }
    assert!(kept >= 350, "the generator must make sound workflows often enough; {kept} of 800");
}

/// Same for the shipped workflows.
#[test]
fn f_4_shipped_workflows_never_strand_a_task() {
    for (name, _) in TEMPLATES {
        for seed in 0..60 {
            let mut dice = SeededRandom::new(seed);
            drive(definition(name), &mut dice);
        }
    }
}
