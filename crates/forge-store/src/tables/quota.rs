//! Agents whose allowance is used up (E-9).

use forge_domain::{AgentId, Timestamp};

use crate::db::Db;
use crate::errors::StoreError;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::tx::Tx;
use crate::wake::Channel;

/// An agent that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotaWait {
    /// Which.
    pub agent_id: AgentId,
    /// When it is asked again.
    pub until: Timestamp,
}

/// Makes an agent wait; the last word counts.
pub async fn begin(tx: &mut Tx, agent: AgentId, until: Timestamp) -> Result<(), StoreError> {
    let upsert = stmt(
        "INSERT INTO quota_waits (agent_id, until) VALUES ($1, $2)
         ON CONFLICT (agent_id) DO UPDATE SET until = excluded.until",
    );
    tx.execute(upsert.bind(agent).bind(until)).await?;
    // Whoever gives out tasks must know when to look again.
    tx.wake(Channel::Dispatch, "");
    Ok(())
}

/// Ends an agent's wait. False if it did not wait.
pub async fn end(tx: &mut Tx, agent: AgentId) -> Result<bool, StoreError> {
    let delete = stmt("DELETE FROM quota_waits WHERE agent_id = $1").bind(agent);
    let waited = tx.execute(delete).await? == 1;
    if waited {
        tx.wake(Channel::Dispatch, "");
    }
    Ok(waited)
}

/// The agents that wait at this time.
pub async fn waits(db: &Db, now: Timestamp) -> Result<Vec<QuotaWait>, StoreError> {
    let select = stmt("SELECT * FROM quota_waits WHERE until > $1 ORDER BY agent_id").bind(now);
    db.fetch_all(select).await?.iter().map(read).collect()
}

/// When the next of those that wait at this time is asked again.
pub async fn next_end(db: &Db, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
    let select = stmt("SELECT MIN(until) AS until FROM quota_waits WHERE until > $1").bind(now);
    db.fetch_one(select).await?.maybe_at("until")
}

/// Until when an agent waits, as the transaction sees it.
pub async fn until_in(tx: &mut Tx, agent: AgentId) -> Result<Option<Timestamp>, StoreError> {
    let select = stmt("SELECT * FROM quota_waits WHERE agent_id = $1").bind(agent);
    Ok(tx.fetch_optional(select).await?.as_ref().map(read).transpose()?.map(|wait| wait.until))
}

fn read(row: &DbRow) -> Result<QuotaWait, StoreError> {
    Ok(QuotaWait { agent_id: row.parse("agent_id")?, until: row.at("until")? })
}
