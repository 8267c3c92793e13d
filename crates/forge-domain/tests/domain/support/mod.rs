//! What the tests share: a cast, a desk with one task on it, an interpreter of effects, laws, and dice.

mod cast;
mod desk;
mod dice;
mod effects;
mod generator;
mod laws;
mod player;
mod renamed;
mod results;
mod script;
mod world;

pub(crate) use cast::{agent_actor, by_agent, by_user, machine, name, person, role, task_id, uuid};
pub(crate) use desk::{Desk, Given, definition, new_task, open_facts, workflow};
pub(crate) use dice::Dice;
pub(crate) use effects::Stage;
pub(crate) use generator::random_definition;
pub(crate) use laws::{check_actions, check_rest, check_step};
pub(crate) use player::random_task;
pub(crate) use renamed::rename;
pub(crate) use results::{
    conflict, dirty, failed, judged, merged, nothing_to_merge, out_of_quota, passed, turn,
};
pub(crate) use script::workspace;
pub(crate) use world::World;
