//! Tokens and money, summed over executions (E-8).

use forge_domain::{AgentId, ProjectId, TaskId, TokenUsage, UserId};

use crate::db::Db;
use crate::errors::StoreError;
use crate::statement::{Stmt, stmt};

/// What the executions of somebody or something used together, as far as their programs said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// How many executions reported anything.
    pub executions: u64,
    /// Their numbers together. The cost is that of those which named one.
    pub usage: TokenUsage,
}

/// Statements are literals, so that nothing from outside can become part of one.
macro_rules! sums {
    ($whose:literal) => {
        stmt(concat!(
            "SELECT COUNT(*) AS executions,
                    CAST(COALESCE(SUM(input_tokens), 0) AS BIGINT) AS input_tokens,
                    CAST(COALESCE(SUM(cached_tokens), 0) AS BIGINT) AS cached_tokens,
                    CAST(COALESCE(SUM(output_tokens), 0) AS BIGINT) AS output_tokens,
                    CAST(SUM(cost_micro_usd) AS BIGINT) AS cost_micro_usd
             FROM executions WHERE input_tokens IS NOT NULL AND ",
            $whose
        ))
    };
}

/// Of one task.
pub async fn of_task(db: &Db, task: TaskId) -> Result<Used, StoreError> {
    fetch(db, sums!("task_id = $1").bind(task)).await
}

/// Of one project.
pub async fn of_project(db: &Db, project: ProjectId) -> Result<Used, StoreError> {
    fetch(db, sums!("project_id = $1").bind(project)).await
}

/// Of one agent, in the projects that this person is a member of, or in all.
pub async fn of_agent(db: &Db, agent: AgentId, member: Option<UserId>) -> Result<Used, StoreError> {
    let Some(member) = member else { return fetch(db, sums!("agent_id = $1").bind(agent)).await };
    let own = sums!(
        "agent_id = $1 AND project_id IN (SELECT project_id FROM project_members WHERE user_id = $2)"
    );
    fetch(db, own.bind(agent).bind(member)).await
}

/// Of the turns of one conversation.
pub async fn of_session(db: &Db, task: TaskId, session: &str) -> Result<Used, StoreError> {
    fetch(db, sums!("task_id = $1 AND session = $2").bind(task).bind(session)).await
}

async fn fetch(db: &Db, select: Stmt) -> Result<Used, StoreError> {
    let row = db.fetch_one(select).await?;
    let count = |column| Ok::<_, StoreError>(u64::try_from(row.get::<i64>(column)?).unwrap_or(0));
    let cost = row.get::<Option<i64>>("cost_micro_usd")?;
    Ok(Used {
        executions: count("executions")?,
        usage: TokenUsage {
            input_tokens: count("input_tokens")?,
            cached_tokens: count("cached_tokens")?,
            output_tokens: count("output_tokens")?,
            cost_micro_usd: cost.map(|cost| u64::try_from(cost).unwrap_or(0)),
        },
    })
}
