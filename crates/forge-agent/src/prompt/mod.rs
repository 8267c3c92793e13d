//! Builds the prompt of an execution from a template and the task's data.
//!
//! Templates are strict: an unknown placeholder is an error. Text from outside is put between fences that it cannot
//! close. Sections that an agent must see (handoff notes, messages, the answer format of a reviewer) are added even
//! when a template omits them.
//!
//! Pure functions; no state, and a crash leaves nothing.

pub(crate) mod agent_prompt;
pub(crate) mod prompt_material;
pub(crate) mod prompt_template;
