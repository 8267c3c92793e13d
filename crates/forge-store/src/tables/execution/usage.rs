//! Token usage and cost, summed over executions (E-8).

use forge_domain::{AgentId, ProjectId, TaskId, TokenUsage, UserId};

use crate::db::Db;
use crate::row::DbRow;
use crate::statement::{SqlStatement, stmt};
use crate::store_error::StoreError;
use crate::tables::query_builder::QueryBuilder;
use crate::tx::Tx;

/// Usage of a group of executions, as far as their programs reported it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UsageTotals {
    /// Number of executions that reported usage.
    pub executions: u64,
    /// Their sum. The cost includes only executions that reported one.
    pub usage: TokenUsage,
}

/// Upper bound for one execution, so that a wrong report cannot overflow the sums.
const MOST: u64 = 1_000_000_000_000;

/// Statements are literals, so that no outside value can become part of one.
macro_rules! sums {
    ($executions:literal, $from:literal) => {
        stmt(concat!(
            "SELECT CAST(COALESCE(",
            $executions,
            ", 0) AS BIGINT) AS executions,
                    CAST(COALESCE(SUM(input_tokens), 0) AS BIGINT) AS input_tokens,
                    CAST(COALESCE(SUM(cached_tokens), 0) AS BIGINT) AS cached_tokens,
                    CAST(COALESCE(SUM(output_tokens), 0) AS BIGINT) AS output_tokens,
                    CAST(SUM(cost_micro_usd) AS BIGINT) AS cost_micro_usd
             FROM ",
            $from
        ))
    };
}

/// Adds an execution's usage to the sums of its task, its agent and its project.
pub(crate) async fn add(
    tx: &mut Tx,
    task: TaskId,
    agent: Option<AgentId>,
    project: ProjectId,
    usage: TokenUsage,
) -> Result<(), StoreError> {
    // Always in this order, so that two executions that end at once cannot deadlock.
    let scopes = [
        Some(("task", task.to_string())),
        agent.map(|agent| ("agent", agent.to_string())),
        Some(("project", project.to_string())),
    ];
    for (scope, id) in scopes.into_iter().flatten() {
        let upsert = stmt(
            "INSERT INTO usage_sums (scope, id, project_id, executions, input_tokens, cached_tokens, output_tokens,
                                     cost_micro_usd)
             VALUES ($1, $2, $3, 1, $4, $5, $6, $7)
             ON CONFLICT (scope, id, project_id) DO UPDATE SET
                executions = usage_sums.executions + 1,
                input_tokens = usage_sums.input_tokens + excluded.input_tokens,
                cached_tokens = usage_sums.cached_tokens + excluded.cached_tokens,
                output_tokens = usage_sums.output_tokens + excluded.output_tokens,
                cost_micro_usd = COALESCE(usage_sums.cost_micro_usd + excluded.cost_micro_usd,
                                          usage_sums.cost_micro_usd, excluded.cost_micro_usd)",
        )
        .bind(scope)
        .bind(id)
        .bind(project)
        .bind(stored_count(usage.input_tokens))
        .bind(stored_count(usage.cached_tokens))
        .bind(stored_count(usage.output_tokens))
        .bind(usage.cost_micro_usd.map(stored_count));
        tx.execute(upsert).await?;
    }
    Ok(())
}

/// Converts a count for storage.
pub(crate) fn stored_count(tokens: u64) -> i64 {
    i64::try_from(tokens.min(MOST)).unwrap_or(i64::MAX)
}

/// Usage of one task.
pub async fn of_task(db: &Db, task: TaskId) -> Result<UsageTotals, StoreError> {
    read(&db.fetch_one(task_sums(task)).await?)
}

/// Same, read inside the transaction.
pub async fn of_task_in(tx: &mut Tx, task: TaskId) -> Result<UsageTotals, StoreError> {
    read(&tx.fetch_one(task_sums(task)).await?)
}

/// Usage of one project.
pub async fn of_project(db: &Db, project: ProjectId) -> Result<UsageTotals, StoreError> {
    read(&db.fetch_one(project_sums(project)).await?)
}

/// Same, read inside the transaction.
pub async fn of_project_in(tx: &mut Tx, project: ProjectId) -> Result<UsageTotals, StoreError> {
    read(&tx.fetch_one(project_sums(project)).await?)
}

/// Usage of one agent, in the member's projects, or in all.
pub async fn of_agent(
    db: &Db,
    agent: AgentId,
    member: Option<UserId>,
) -> Result<UsageTotals, StoreError> {
    let select = match member {
        None => {
            sums!("SUM(executions)", "usage_sums WHERE scope = 'agent' AND id = $1").bind(agent)
        }
        Some(member) => sums!(
            "SUM(executions)",
            "usage_sums WHERE scope = 'agent' AND id = $1
                AND project_id IN (SELECT project_id FROM project_members WHERE user_id = $2)"
        )
        .bind(agent)
        .bind(member),
    };
    read(&db.fetch_one(select).await?)
}

/// Number of executions of agents on a task, whether or not they reported usage.
pub async fn runs_of_task(db: &Db, task: TaskId) -> Result<u64, StoreError> {
    let select =
        stmt("SELECT COUNT(*) AS runs FROM executions WHERE task_id = $1 AND agent_id IS NOT NULL");
    db.fetch_one(select.bind(task)).await?.count("runs")
}

/// Number of executions of agents in a project, whether or not they reported usage.
pub async fn runs_of_project(db: &Db, project: ProjectId) -> Result<u64, StoreError> {
    let select = stmt(
        "SELECT COUNT(*) AS runs FROM executions WHERE project_id = $1 AND agent_id IS NOT NULL",
    );
    db.fetch_one(select.bind(project)).await?.count("runs")
}

/// Number of an agent's executions, in the member's projects, or in all.
pub async fn runs_of_agent(
    db: &Db,
    agent: AgentId,
    member: Option<UserId>,
) -> Result<u64, StoreError> {
    let mut query = QueryBuilder::new("SELECT COUNT(*) AS runs FROM executions WHERE agent_id = ");
    query.value(agent);
    if let Some(member) = member {
        query
            .text(" AND project_id IN (SELECT project_id FROM project_members WHERE user_id = ")
            .value(member)
            .text(")");
    }
    db.fetch_one(query.into_stmt()).await?.count("runs")
}

/// Usage of one conversation.
pub async fn of_session(db: &Db, task: TaskId, session: &str) -> Result<UsageTotals, StoreError> {
    let select = sums!(
        "COUNT(*)",
        "executions WHERE input_tokens IS NOT NULL AND task_id = $1 AND session = $2"
    );
    read(&db.fetch_one(select.bind(task).bind(session)).await?)
}

fn task_sums(task: TaskId) -> SqlStatement {
    sums!("SUM(executions)", "usage_sums WHERE scope = 'task' AND id = $1").bind(task)
}

fn project_sums(project: ProjectId) -> SqlStatement {
    sums!("SUM(executions)", "usage_sums WHERE scope = 'project' AND id = $1 AND project_id = $1")
        .bind(project)
}

fn read(row: &DbRow) -> Result<UsageTotals, StoreError> {
    let count = |column| Ok::<_, StoreError>(u64::try_from(row.get::<i64>(column)?).unwrap_or(0));
    let cost = row.get::<Option<i64>>("cost_micro_usd")?;
    Ok(UsageTotals {
        executions: count("executions")?,
        usage: TokenUsage {
            input_tokens: count("input_tokens")?,
            cached_tokens: count("cached_tokens")?,
            output_tokens: count("output_tokens")?,
            cost_micro_usd: cost.map(|cost| u64::try_from(cost).unwrap_or(0)),
        },
    })
}
