//! Further messages for an agent after its execution ended (E-7) or while it runs (T-22), and answers to its questions
//! (T-27).

use crate::command::commit::Commands;
use crate::command::errors::EngineError;
use crate::command::lookup::require_found;
use forge_agent::ExecutorConfig;
use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::RoleName;
use forge_domain::{Actor, AgentId, ExecutionId, TaskCommand, TaskId};
use forge_store::tables::executions::ExecutionRow;
use forge_store::{Db, tables};

const LONGEST_MESSAGE: usize = 256 * 1024;

/// The session that an execution can be resumed with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResumableSession {
    pub task: TaskId,
    pub role: RoleName,
    pub agent: AgentId,
    /// The session id that the agent program reported.
    pub session: String,
}

/// Further messages of users to agents.
#[derive(Debug, Clone)]
pub struct AgentMessages {
    pub(crate) db: Db,
    pub(crate) commands: Commands,
}

impl AgentMessages {
    /// Resumes the session of an ended execution in the same workspace. A program without sessions, such as a shell
    /// command, starts again with the message in its prompt.
    pub async fn follow_up(
        &self,
        actor: Actor,
        execution: ExecutionId,
        message: String,
    ) -> Result<TaskSnapshot, EngineError> {
        if message.trim().is_empty() || message.len() > LONGEST_MESSAGE {
            let problem = format!("must have between 1 and {LONGEST_MESSAGE} bytes");
            return Err(EngineError::InvalidField { field: "message", problem });
        }
        let row = tables::executions::load(&self.db, execution).await?;
        let row = require_found(row, "execution", execution)?;
        let Some(agent) = row.agent_id else { return Err(executed_by_user()) };
        let known = require_found(tables::agents::load(&self.db, agent).await?, "agent", agent)?;
        let resumes = ExecutorConfig::from_json(&known.executor)
            .is_ok_and(|executor| executor.adapter().can_resume());
        let session = row.session.filter(|_| resumes);
        let command = TaskCommand::FollowUp { role: row.role, agent, session, message };
        self.commands.handle(actor, row.task_id, command).await
    }

    /// Sends a message to a running agent (T-22): to its program if that accepts messages, else with the next
    /// execution.
    pub async fn steer(
        &self,
        actor: Actor,
        execution: ExecutionId,
        message: String,
    ) -> Result<TaskSnapshot, EngineError> {
        let row = tables::executions::load(&self.db, execution).await?;
        let row = require_found(row, "execution", execution)?;
        let live = self.accepts_messages(&row).await?;
        self.commands
            .handle(actor, row.task_id, TaskCommand::Steer { execution, message, live })
            .await
    }

    /// Answers a question (T-27). The answer takes the same way as a message.
    pub async fn answer(
        &self,
        actor: Actor,
        task: TaskId,
        number: u32,
        text: String,
    ) -> Result<TaskSnapshot, EngineError> {
        let asked = tables::questions::load(&self.db, task, number).await?;
        let asker = match asked.and_then(|question| question.execution_id) {
            Some(execution) => tables::executions::load(&self.db, execution).await?,
            None => None,
        };
        let live = match &asker {
            Some(row) => self.accepts_messages(row).await?,
            None => false,
        };
        self.commands.handle(actor, task, TaskCommand::Answer { number, text, live }).await
    }

    /// Whether the program of an execution accepts messages while it runs.
    async fn accepts_messages(&self, row: &ExecutionRow) -> Result<bool, EngineError> {
        let Some(agent) = row.agent_id else { return Ok(false) };
        let agent = tables::agents::load(&self.db, agent).await?;
        Ok(agent.is_some_and(|agent| {
            ExecutorConfig::from_json(&agent.executor)
                .is_ok_and(|executor| executor.adapter().accepts_messages())
        }))
    }

    /// Returns the session of an execution if its program can resume it.
    pub async fn load_session(
        &self,
        execution: ExecutionId,
    ) -> Result<ResumableSession, EngineError> {
        let row = tables::executions::load(&self.db, execution).await?;
        let row = require_found(row, "execution", execution)?;
        let cannot = |problem: &str| {
            let problem = problem.to_owned();
            Err(EngineError::InvalidField { field: "execution", problem })
        };
        let Some(agent) = row.agent_id else { return Err(executed_by_user()) };
        let known = require_found(tables::agents::load(&self.db, agent).await?, "agent", agent)?;
        let resumes = ExecutorConfig::from_json(&known.executor)
            .is_ok_and(|executor| executor.adapter().can_resume());
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
        Ok(ResumableSession { task: row.task_id, role: row.role, agent, session })
    }
}

fn executed_by_user() -> EngineError {
    let problem = "a person worked in it; write a comment instead".to_owned();
    EngineError::InvalidField { field: "execution", problem }
}
