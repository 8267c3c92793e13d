//! The default reviewer of a project.

use forge_domain::{AgentId, Assignee, UserId};
use serde::Deserialize;
use uuid::Uuid;

/// The setting `default_reviewer`: one of the two ids is set.
#[derive(Deserialize)]
struct ReviewerSetting {
    #[serde(default)]
    agent_id: Option<Uuid>,
    #[serde(default)]
    user_id: Option<Uuid>,
}

/// The reviewer that a project's settings name.
pub(crate) fn default_reviewer(settings: &serde_json::Value) -> Option<Assignee> {
    let written = settings.get("default_reviewer")?.clone();
    let written: ReviewerSetting = serde_json::from_value(written).ok()?;
    let agent = written.agent_id.map(|id| Assignee::Agent { id: AgentId::new(id) });
    agent.or_else(|| written.user_id.map(|id| Assignee::User { id: UserId::new(id) }))
}
