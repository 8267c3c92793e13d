//! Permission to override an agent's policy by a claim (T-3, S-6): who may change the agent's settings may also choose
//! a wider policy for one claim; all other callers may only narrow it.

use forge_api::ErrorCode;
use forge_domain::PermissionPolicy;
use forge_domain::task::ExecutionOverrides;
use forge_store::tables::agents::AgentRow;
use serde_json::json;

use crate::app::AppState;
use crate::caller::Caller;
use crate::error::api_error::ApiError;

impl Caller {
    /// Refuses a policy that is wider than the one that the agent's owner chose, unless the caller may change the agent.
    pub(crate) async fn require_policy_override(
        &self,
        app: &AppState,
        agent: &AgentRow,
        overrides: ExecutionOverrides,
    ) -> Result<ExecutionOverrides, ApiError> {
        let own = app.engine.agent_programs().own_policy(agent)?;
        let (Some(asked), Some(own)) = (overrides.permission_policy, own) else {
            return Ok(overrides);
        };
        if asked <= own {
            return Ok(overrides);
        }
        // The token of an execution never widens a policy.
        let is_execution = self.execution().is_some();
        if !is_execution && self.require_programs(app, agent.project_id).await.is_ok() {
            return Ok(ExecutionOverrides { may_widen_policy: true, ..overrides });
        }
        Err(wider_policy_error(asked, own))
    }
}

fn wider_policy_error(asked: PermissionPolicy, own: PermissionPolicy) -> ApiError {
    let message = format!(
        "The agent's policy is `{own}`, and `{asked}` allows more. Choose `{own}` or a narrower one, or ask an admin to \
         change the agent."
    );
    ApiError::new(ErrorCode::Forbidden, message).with_details(json!({
        "permission": "widen_policy", "path": "overrides.permission_policy", "policy": own.as_str(),
    }))
}
