//! What the tests share: a cast, a desk with one task on it, an interpreter of effects, laws, and dice.

mod cast;
mod desk;
mod dice;
mod effects;
mod generator;
mod laws;
mod player;
mod results;
mod script;
mod world;

pub use cast::{agent, agent_actor, by_agent, by_user, machine, name, person, role, task_id, uuid};
pub use desk::{Desk, Given, definition, new_task, open_facts, workflow};
pub use dice::Dice;
pub use effects::{Stage, Step};
pub use generator::random_definition;
pub use laws::{check_actions, check_rest, check_step};
pub use player::play;
pub use results::{conflict, dirty, failed, judged, merged, nothing_to_merge, passed, turn};
pub use world::World;
