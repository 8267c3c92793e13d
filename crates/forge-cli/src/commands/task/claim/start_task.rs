//! Starts an agent on a task that was just created.

use forge_api::{Agent, ClaimOverrides, ClaimRequest, ClaimResponse, Task};
use forge_client::ApiClient;

use crate::cli_error::CliError;

/// Claims a new task for the agent. The task stays if the claim is refused, and the error says how to start it.
pub(crate) async fn start_new_task(
    client: &ApiClient,
    task: &Task,
    agent: &Agent,
    overrides: Option<ClaimOverrides>,
) -> Result<ClaimResponse, CliError> {
    let request = ClaimRequest { agent_id: Some(agent.id), overrides };
    client.tasks().claim(task.id, &request).await.map_err(|error| {
        CliError::from(error).hint(format!(
            "{key} was created and is not started; try `forge task claim {key} --agent {name}`",
            key = task.key,
            name = agent.name,
        ))
    })
}
