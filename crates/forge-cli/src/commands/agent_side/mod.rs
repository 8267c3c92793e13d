//! Commands for agents inside their executions. They find the server, the token and the task in FORGE_URL, FORGE_TOKEN and
//! FORGE_TASK_ID, which Forge sets there.

pub(crate) mod ask;
pub(crate) mod skill;
