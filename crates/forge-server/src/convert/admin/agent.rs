//! Converts agents.

use forge_api::{
    Agent, AgentEnvironment, AgentExecutor, AgentLogin, AgentPatch, AgentProbe, AgentProgram,
    AgentWait, AgentWaitReason, ExecutorKind, ExecutorPolicy, NewAgent,
};
use forge_domain::AgentId;
use forge_domain::PermissionPolicy;
use forge_engine::{AgentKind, HIDDEN, InstalledAgent, LoginState};
use forge_store::tables::{self, agent_waits::WaitCause};

use crate::convert::text::invalid_field_value;
use crate::convert::time::rfc3339;
use crate::error::api_error::ApiError;
use crate::error::engine_error::internal_error;

const LONGEST_ROLE: usize = 100;

/// Converts an agent and the reason for which it waits.
pub(crate) fn agent(
    row: tables::agents::AgentRow,
    wait: Option<&tables::agent_waits::AgentWaitRow>,
) -> Result<Agent, ApiError> {
    let mut executor: AgentExecutor = serde_json::from_value(row.executor).map_err(|error| {
        internal_error(&format!("the stored executor of agent {} is invalid: {error}", row.id))
    })?;
    // A caller who may see an agent need not see its keys, so values are redacted.
    for value in executor.environment.values_mut() {
        HIDDEN.clone_into(value);
    }
    Ok(Agent {
        id: row.id.uuid(),
        name: row.name,
        executor,
        roles: row.roles,
        paused: row.paused,
        max_concurrent: u32::try_from(row.max_concurrent).unwrap_or_default(),
        ephemeral: row.ephemeral,
        fallback: row.fallback.map(|id| id.uuid()),
        project_id: row.project_id.map(|id| id.uuid()),
        waiting: wait.map(waiting),
        version: u64::try_from(row.version).unwrap_or_default(),
        created_at: rfc3339(row.created_at),
        removed_at: row.removed_at.map(rfc3339),
    })
}

/// Converts the names of an agent's environment variables.
pub(crate) fn environment(found: forge_engine::AgentVariables) -> AgentEnvironment {
    AgentEnvironment {
        inherited: found.inherited,
        passed: found.passed,
        missing: found.missing,
        set: found.own,
        api_key: found.api_key,
    }
}

fn waiting(wait: &tables::agent_waits::AgentWaitRow) -> AgentWait {
    let reason = match wait.cause {
        WaitCause::Quota { .. } => AgentWaitReason::Quota,
        WaitCause::Login => AgentWaitReason::Login,
    };
    AgentWait { reason, until: wait.until().map(rfc3339), message: wait.message.clone() }
}

/// Converts the check of an agent's program.
pub(crate) fn agent_probe(agent: Agent, found: InstalledAgent) -> AgentProbe {
    AgentProbe {
        agent,
        program: found.program,
        path: found.path.map(|path| path.to_string_lossy().into_owned()),
        version: found.version,
        tested_version: found.tested_version,
        problem: found.problem,
        login: found.login.map(agent_login),
    }
}

/// Converts what a probe found for a kind of agent.
pub(crate) fn agent_program(found: InstalledAgent) -> AgentProgram {
    AgentProgram {
        kind: executor_kind(found.kind),
        program: found.program,
        path: found.path.map(|path| path.to_string_lossy().into_owned()),
        version: found.version,
        tested_version: found.tested_version,
        problem: found.problem,
        login: found.login.map(agent_login),
        policies: found.policies.into_iter().map(executor_policy).collect(),
    }
}

fn agent_login(login: LoginState) -> AgentLogin {
    match login {
        LoginState::SignedIn => AgentLogin::SignedIn,
        LoginState::ApiKey => AgentLogin::ApiKey,
        LoginState::SignedOut => AgentLogin::SignedOut,
        LoginState::Unknown => AgentLogin::Unknown,
    }
}

fn executor_kind(kind: AgentKind) -> ExecutorKind {
    match kind {
        AgentKind::Shell => ExecutorKind::Shell,
        AgentKind::Claude => ExecutorKind::Claude,
        AgentKind::Codex => ExecutorKind::Codex,
        AgentKind::Gemini => ExecutorKind::Gemini,
        AgentKind::Opencode => ExecutorKind::Opencode,
        AgentKind::Cursor => ExecutorKind::Cursor,
        AgentKind::Copilot => ExecutorKind::Copilot,
        AgentKind::Goose => ExecutorKind::Goose,
        AgentKind::Qwen => ExecutorKind::Qwen,
        AgentKind::Amp => ExecutorKind::Amp,
        AgentKind::Droid => ExecutorKind::Droid,
        AgentKind::Acp => ExecutorKind::Acp,
    }
}

fn executor_policy(policy: PermissionPolicy) -> ExecutorPolicy {
    match policy {
        PermissionPolicy::Plan => ExecutorPolicy::Plan,
        PermissionPolicy::Edit => ExecutorPolicy::Edit,
        PermissionPolicy::Full => ExecutorPolicy::Full,
    }
}

/// Converts a request to create an agent.
pub(crate) fn new_agent(asked: NewAgent) -> Result<forge_engine::AgentSpec, ApiError> {
    check_roles(&asked.roles)?;
    Ok(forge_engine::AgentSpec {
        name: asked.name,
        executor: stored_executor(&asked.executor)?,
        roles: asked.roles,
        max_concurrent: asked.max_concurrent.map_or(1, i64::from),
        ephemeral: asked.ephemeral,
        fallback: asked.fallback.map(AgentId::new),
    })
}

/// Converts a request to change an agent.
pub(crate) fn agent_patch(asked: AgentPatch) -> Result<forge_engine::AgentChange, ApiError> {
    check_roles(asked.roles.as_deref().unwrap_or_default())?;
    Ok(forge_engine::AgentChange {
        // No row has a version this large, so it counts as stale like any other wrong version.
        version: i64::try_from(asked.version).unwrap_or(i64::MAX),
        name: asked.name,
        executor: asked.executor.as_ref().map(stored_executor).transpose()?,
        roles: asked.roles,
        max_concurrent: asked.max_concurrent.map(i64::from),
        fallback: asked.fallback.map(|other| other.map(AgentId::new)),
    })
}

fn check_roles(roles: &[String]) -> Result<(), ApiError> {
    let is_bad = |role: &String| {
        role.trim().is_empty()
            || role.chars().count() > LONGEST_ROLE
            || role.chars().any(char::is_control)
    };
    if roles.iter().any(is_bad) {
        return Err(invalid_field_value(
            "roles",
            "a role is a word of 1 to 100 visible characters",
        ));
    }
    Ok(())
}

fn stored_executor(executor: &AgentExecutor) -> Result<serde_json::Value, ApiError> {
    serde_json::to_value(executor).map_err(|error| internal_error(&error.to_string()))
}
