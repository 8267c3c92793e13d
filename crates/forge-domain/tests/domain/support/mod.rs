//! Shared code of the tests: actors, a fixture with one task, an interpreter of effects, invariants, and random
//! numbers.

mod cast;
mod dice;
mod effects;
mod fixture;
mod generator;
mod laws;
mod player;
mod renamed;
mod results;
mod script;
mod world;

pub(crate) use cast::{agent_actor, by_agent, by_user, machine, name, person, role, task_id, uuid};
pub(crate) use dice::SeededRandom;
pub(crate) use effects::EffectStage;
pub(crate) use fixture::{GivenCommand, TaskFixture, definition, new_task, open_facts, workflow};
pub(crate) use generator::random_definition;
pub(crate) use laws::{check_actions, check_rest, check_step};
pub(crate) use player::random_task;
pub(crate) use renamed::rename;
pub(crate) use results::{
    conflict, dirty, failed, judged, merged, nothing_to_merge, out_of_quota, passed, signed_out,
    turn,
};
pub(crate) use script::workspace;
pub(crate) use world::EffectSimulation;
