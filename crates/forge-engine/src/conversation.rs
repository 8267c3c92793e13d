//! Another message for an agent that has ended its turn (E-7).

use crate::engine::Engine;
use crate::errors::EngineError;
use crate::lookup::found;
use forge_agent::Executor;
use forge_domain::task::{FollowUp, Snapshot};
use forge_domain::workflow::RoleName;
use forge_domain::{Actor, AgentId, Command, ExecutionId, TaskId};
use forge_store::tables;

const LONGEST_MESSAGE: usize = 256 * 1024;

/// What a run and its program said to each other, and whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation {
    /// The task.
    pub task: TaskId,
    /// The role of the run.
    pub role: RoleName,
    /// Its agent.
    pub agent: AgentId,
    /// How the program calls it.
    pub session: String,
}

impl Engine {
    /// Goes on with the conversation of an execution that is over, in the same workspace.
    pub async fn follow_up(
        &self,
        actor: Actor,
        execution: ExecutionId,
        message: String,
    ) -> Result<Snapshot, EngineError> {
        if message.trim().is_empty() || message.len() > LONGEST_MESSAGE {
            let problem = format!("must have between 1 and {LONGEST_MESSAGE} bytes");
            return Err(EngineError::InvalidField { field: "message", problem });
        }
        let Conversation { task, role, agent, session } = self.conversation_of(execution).await?;
        let follow_up = FollowUp { session, message };
        let command = Command::FollowUp { role, agent, follow_up };
        self.handle(actor, task, command).await
    }

    /// Says something to an agent at work (T-22): to its program, where that can hear it, else by the next turn.
    pub async fn steer(
        &self,
        actor: Actor,
        execution: ExecutionId,
        message: String,
    ) -> Result<Snapshot, EngineError> {
        let row = tables::executions::load(self.db(), execution).await?;
        let row = found(row, "execution", execution)?;
        let agent = match row.agent_id {
            Some(agent) => tables::agents::load(self.db(), agent).await?,
            None => None,
        };
        let live = agent.is_some_and(|agent| {
            Executor::from_json(&agent.executor).is_ok_and(|executor| executor.adapter().steers())
        });
        self.handle(actor, row.task_id, Command::Steer { execution, message, live }).await
    }

    /// The conversation of a run, if its program can go on with it.
    pub async fn conversation_of(
        &self,
        execution: ExecutionId,
    ) -> Result<Conversation, EngineError> {
        let row = tables::executions::load(self.db(), execution).await?;
        let row = found(row, "execution", execution)?;
        let cannot = |problem: &str| {
            let problem = problem.to_owned();
            Err(EngineError::InvalidField { field: "execution", problem })
        };
        let Some(agent) = row.agent_id else {
            return cannot("a person worked in it; write a comment instead");
        };
        let known = found(tables::agents::load(self.db(), agent).await?, "agent", agent)?;
        let resumes =
            Executor::from_json(&known.executor).is_ok_and(|executor| executor.adapter().resumes());
        if !resumes {
            return cannot(
                "its program cannot go on with a conversation; start the work again instead",
            );
        }
        let Some(session) = row.session else {
            return cannot(
                "its program named no conversation to go on with; start the work again instead",
            );
        };
        Ok(Conversation { task: row.task_id, role: row.role, agent, session })
    }
}
