//! The sets of tools.

use forge_engine::Engine;
use forge_store::StoreError;
use forge_store::tables::executions;

use crate::caller::Caller;

/// The role whose executions may direct the subtasks of their task.
const PLANNER: &str = "planner";

/// A set of tools, chosen by the credential and by the URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToolSet {
    /// An execution's own task: `/mcp/run`, and the only set of an execution's token.
    Run,
    /// The tools of `Run`, and those that direct agents: for the token of a planner's execution.
    Planner,
    /// A user's board: `/mcp`.
    Board,
    /// Every action of the API that may be performed over this protocol: `/mcp/all`.
    All,
}

impl ToolSet {
    /// The set of a caller: an execution has its own at every URL.
    pub(crate) async fn of_caller(
        engine: &Engine,
        caller: &Caller,
        of_url: Self,
    ) -> Result<Self, StoreError> {
        let Some(owner) = caller.execution() else { return Ok(of_url) };
        let execution = executions::load(engine.db(), owner.execution_id).await?;
        let is_planner = execution.is_some_and(|row| row.role.as_str() == PLANNER);
        Ok(if is_planner { Self::Planner } else { Self::Run })
    }

    /// The instructions for a client, with the contract first.
    pub(crate) fn instructions(self) -> &'static str {
        match self {
            Self::Run => {
                "Tools of your own task in Forge. `task` may be left out: it is yours. Read it with forge_show_task, \
                 finish with forge_complete, or give it back with forge_hand_off. A refusal has `code`, `why` and \
                 `try`: the corrected call."
            }
            Self::Planner => {
                "Tools of your own task and of its subtasks in Forge. Split the work with forge_spawn, follow it with \
                 forge_wait and forge_agent_pulse, correct it with forge_steer, bring it in with forge_merge, and \
                 finish with forge_complete. A refusal has `code`, `why` and `try`: the corrected call."
            }
            Self::Board | Self::All => {
                "Forge runs coding agents on tasks of git projects and lands their work. Name tasks as T-12, projects \
                 by slug, agents by name; `project` may be left out if you have one. Typical: forge_create_task, \
                 forge_assign_agent, forge_wait, forge_get_task_diff, forge_review, forge_merge. Work goes on in the \
                 background: calls answer at once, forge_wait waits. A refusal has `code`, `why` and `try`: the \
                 corrected call. Statuses are the states of the project's own workflow: forge_read what=workflow."
            }
        }
    }
}
