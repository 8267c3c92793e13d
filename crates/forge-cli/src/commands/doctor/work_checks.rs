//! Checks of what agents need to work: agents, repositories, dispatch; and of the webhooks.

use forge_api::{Agent, AgentWaitReason, Project};
use forge_client::{ApiClient, ClientError};

use crate::commands::doctor::doctor_report::DoctorFinding;
use crate::commands::doctor::webhook_checks::check_webhooks;
use crate::lookup::{fetch_agents, fetch_projects, fetch_repos};

/// Agents, repositories and dispatch, as far as the caller may see them.
pub(crate) async fn check_work(client: &ApiClient) -> Vec<DoctorFinding> {
    let mut findings = Vec::new();
    match fetch_agents(client).await {
        Ok(agents) => findings.extend(check_agents(client, &agents.items).await),
        Err(error) => findings.push(DoctorFinding::warn("agents", error.to_string())),
    }
    match fetch_projects(client).await {
        Ok(projects) => {
            findings.push(check_repositories(client, &projects.items).await);
            findings.push(check_dispatch(client, &projects.items).await);
            findings.extend(check_webhooks(client, &projects.items).await);
        }
        Err(error) => findings.push(DoctorFinding::warn("repositories", error.to_string())),
    }
    findings
}

/// One finding for each agent that cannot work, otherwise one for all.
async fn check_agents(client: &ApiClient, agents: &[Agent]) -> Vec<DoctorFinding> {
    if agents.is_empty() {
        let none = DoctorFinding::warn("agents", "there is no agent yet");
        return vec![none.next("add one with `forge agent add NAME --kind KIND`")];
    }
    let mut findings = Vec::new();
    for agent in agents {
        findings.extend(check_agent(client, agent).await);
    }
    if findings.is_empty() {
        let names: Vec<_> = agents.iter().map(|agent| agent.name.as_str()).collect();
        findings.push(DoctorFinding::ok("agents", names.join(", ")));
    }
    findings
}

async fn check_agent(client: &ApiClient, agent: &Agent) -> Option<DoctorFinding> {
    let name = &agent.name;
    if agent.paused {
        let paused = DoctorFinding::warn("agents", format!("{name} is paused"));
        return Some(paused.next(format!("forge agent resume {name}")));
    }
    match agent.waiting.as_ref().map(|wait| wait.reason) {
        Some(AgentWaitReason::Login) => {
            let message = format!("the program of {name} is not signed in");
            let advice = format!("sign in with its program, then `forge agent resume {name}`");
            return Some(DoctorFinding::fail("agents", message).next(advice));
        }
        Some(AgentWaitReason::Quota) => {
            let message = format!("the quota of {name} is used up");
            return Some(DoctorFinding::warn("agents", message));
        }
        None => {}
    }
    let probe = client.agents().probe(agent.id).await.ok()?;
    if probe.path.is_some() {
        return None;
    }
    let message = format!("the program {} of {name} is not installed", probe.program);
    let advice = format!("install it, or change it with `forge agent edit {name} -- COMMAND`");
    Some(DoctorFinding::fail("agents", message).next(advice))
}

async fn check_repositories(client: &ApiClient, projects: &[Project]) -> DoctorFinding {
    let name = "repositories";
    let mut count = 0;
    for project in projects {
        match fetch_repos(client, project.id).await {
            Ok(repos) if repos.items.is_empty() && needs_repository(project) => {
                let message = format!("the project {} has none", project.name);
                let advice = format!("add one with `forge repo add PATH -p {}`", project.slug);
                return DoctorFinding::warn(name, message).next(advice);
            }
            Ok(repos) => count += repos.items.len(),
            Err(error) => return DoctorFinding::warn(name, error.to_string()),
        }
    }
    match projects.len() {
        0 => DoctorFinding::warn(name, "there is no project yet")
            .next("go into a repository and run `forge init`"),
        1 => DoctorFinding::ok(name, format!("{count} in one project")),
        projects => DoctorFinding::ok(name, format!("{count} in {projects} projects")),
    }
}

fn needs_repository(project: &Project) -> bool {
    project.workspace_type == forge_api::WorkspaceType::GitWorktree
}

async fn check_dispatch(client: &ApiClient, projects: &[Project]) -> DoctorFinding {
    let name = "dispatch";
    let state: Result<_, ClientError> = client.dispatch().fetch().await;
    let state = match state {
        Ok(state) => state,
        Err(error) => return DoctorFinding::warn(name, error.to_string()),
    };
    let on: Vec<_> = projects
        .iter()
        .filter(|project| project.settings.dispatch.enabled)
        .map(|project| project.name.as_str())
        .collect();
    if on.is_empty() {
        return DoctorFinding::ok(name, "off in every project; `forge dispatch on` turns it on");
    }
    if state.paused_at.is_some() {
        let paused = DoctorFinding::warn(name, "paused on this server");
        return paused.next("forge dispatch resume");
    }
    match state.lacks.first() {
        Some(lack) => DoctorFinding::warn(name, lack.message.clone()),
        None => DoctorFinding::ok(name, format!("on for {}", on.join(", "))),
    }
}
