//! Agents that cannot work for now (E-9): their quota is used up, or they are not signed in.

use forge_domain::{AgentFailure, AgentId, FailureClass, Timestamp};

use crate::db::Db;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tx::Tx;
use crate::wake::WakeChannel;

/// The end of the year 9999: a wait that does not end by itself.
const NEVER: Timestamp = Timestamp::from_millis(253_402_300_799_999);
/// Maximum length of the stored message of a program.
const LONGEST_SAID: usize = 500;

/// An agent that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentWaitRow {
    pub agent_id: AgentId,
    pub cause: WaitCause,
    /// Message of its program.
    pub message: String,
}

/// Cause of the wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitCause {
    /// Its quota is used up.
    Quota {
        /// Time of the next attempt.
        until: Timestamp,
    },
    /// It is not signed in; a person must sign the program in.
    Login,
}

impl AgentWaitRow {
    /// Time of the next attempt; `None` while it waits for a login.
    pub fn until(&self) -> Option<Timestamp> {
        match self.cause {
            WaitCause::Quota { until } => Some(until),
            WaitCause::Login => None,
        }
    }
}

/// Makes an agent wait because of this failure; a later failure replaces it.
pub(crate) async fn begin_wait(
    tx: &mut Tx,
    agent: AgentId,
    failure: &AgentFailure,
    now: Timestamp,
) -> Result<(), StoreError> {
    let login = failure.class == FailureClass::Auth;
    let until = if login { NEVER } else { failure.retry_at(now) };
    let said: String = failure.message.chars().take(LONGEST_SAID).collect();
    let upsert = stmt(
        "INSERT INTO quota_waits (agent_id, until, login, said) VALUES ($1, $2, $3, $4)
         ON CONFLICT (agent_id) DO UPDATE SET until = excluded.until, login = excluded.login, said = excluded.said",
    );
    tx.execute(upsert.bind(agent).bind(until).bind(login).bind(said)).await?;
    // The scheduler must know when to look again.
    tx.wake(WakeChannel::Dispatch, "");
    Ok(())
}

/// Ends an agent's wait. Returns false if it did not wait.
pub async fn end_wait(tx: &mut Tx, agent: AgentId) -> Result<bool, StoreError> {
    let delete = stmt("DELETE FROM quota_waits WHERE agent_id = $1").bind(agent);
    let waited = tx.execute(delete).await? == 1;
    if waited {
        tx.wake(WakeChannel::Dispatch, "");
    }
    Ok(waited)
}

/// The agents that wait at this time.
pub async fn list_waits(db: &Db, now: Timestamp) -> Result<Vec<AgentWaitRow>, StoreError> {
    let select = stmt("SELECT * FROM quota_waits WHERE until > $1 ORDER BY agent_id").bind(now);
    db.fetch_all(select).await?.iter().map(read).collect()
}

/// The wait of one agent at this time.
pub async fn of_agent(
    db: &Db,
    agent: AgentId,
    now: Timestamp,
) -> Result<Option<AgentWaitRow>, StoreError> {
    let select = stmt("SELECT * FROM quota_waits WHERE agent_id = $1 AND until > $2");
    db.fetch_optional(select.bind(agent).bind(now)).await?.as_ref().map(read).transpose()
}

/// Time of the next attempt among the agents that wait for their quota.
pub async fn next_wait_end(db: &Db, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
    let select = stmt("SELECT MIN(until) AS until FROM quota_waits WHERE until > $1 AND NOT login")
        .bind(now);
    db.fetch_one(select).await?.maybe_at("until")
}

/// Whether an agent waits at this time, read inside the transaction.
pub async fn is_waiting_in(
    tx: &mut Tx,
    agent: AgentId,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let select = stmt("SELECT agent_id FROM quota_waits WHERE agent_id = $1 AND until > $2");
    Ok(tx.fetch_optional(select.bind(agent).bind(now)).await?.is_some())
}

fn read(row: &DbRow) -> Result<AgentWaitRow, StoreError> {
    let cause = match row.get("login")? {
        true => WaitCause::Login,
        false => WaitCause::Quota { until: row.at("until")? },
    };
    Ok(AgentWaitRow { agent_id: row.parse("agent_id")?, cause, message: row.get("said")? })
}
