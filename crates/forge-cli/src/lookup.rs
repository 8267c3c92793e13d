//! Resolves what users type to items of the server.

use std::path::Path;

use clap::Args;
use forge_api::{Agent, Page, PageQuery, Project, Repo, RoleAssignee, Task, User};
use forge_client::{ApiClient, ClientError, collect_pages};
use uuid::Uuid;

use crate::cli_error::CliError;
use crate::repository::repository_paths;
use crate::task_ref::TaskRef;

/// Maximum number of names that are fetched.
const MOST_NAMES: usize = 2000;

/// Selects the project.
#[derive(Debug, Clone, Args)]
pub(crate) struct ProjectOption {
    /// Project name or identifier; optional inside its repository, or if there is only one project
    #[arg(long, short, env = "FORGE_PROJECT", value_name = "PROJECT", hide_env_values = true)]
    pub(crate) project: Option<String>,
}

impl ProjectOption {
    /// The named project, otherwise the only one, otherwise the one whose repository or workspace contains the
    /// current directory.
    pub(crate) async fn fetch(&self, client: &ApiClient) -> Result<Project, CliError> {
        match &self.project {
            Some(name) => fetch_project(client, name).await,
            None => fetch_project_here(client).await,
        }
    }

    /// The identifier of the selected project; asks the server only if necessary.
    pub(crate) async fn fetch_id(&self, client: &ApiClient) -> Result<Uuid, CliError> {
        match self.project.as_deref().map(str::parse) {
            Some(Ok(id)) => Ok(id),
            _ => Ok(self.fetch(client).await?.id),
        }
    }

    /// The selected task, in this project if it is named by number.
    pub(crate) async fn fetch_task(
        &self,
        client: &ApiClient,
        task: TaskRef,
    ) -> Result<Task, CliError> {
        match task {
            TaskRef::Id(id) => Ok(client.tasks().fetch(id).await?),
            TaskRef::Number(number) => {
                let project = self.fetch_id(client).await?;
                Ok(client.tasks().fetch_by_number(project, number).await?)
            }
        }
    }

    /// The identifier of the selected task; asks the server only if necessary.
    pub(crate) async fn fetch_task_id(
        &self,
        client: &ApiClient,
        task: TaskRef,
    ) -> Result<Uuid, CliError> {
        match task {
            TaskRef::Id(id) => Ok(id),
            TaskRef::Number(_) => Ok(self.fetch_task(client, task).await?.id),
        }
    }
}

pub(crate) async fn fetch_projects(client: &ApiClient) -> Result<Page<Project>, ClientError> {
    collect_pages(MOST_NAMES, async |page: PageQuery| client.projects().fetch_page(&page).await)
        .await
}

pub(crate) async fn fetch_agents(client: &ApiClient) -> Result<Page<Agent>, ClientError> {
    collect_pages(MOST_NAMES, async |page: PageQuery| client.agents().fetch_page(&page).await).await
}

/// The project with this identifier, name or slug.
pub(crate) async fn fetch_project(client: &ApiClient, name: &str) -> Result<Project, CliError> {
    if let Ok(id) = name.parse() {
        return Ok(client.projects().fetch(id).await?);
    }
    let projects = fetch_projects(client).await?.items;
    let is_named = |project: &&Project| project.name == name || project.slug == name;
    match projects.iter().find(is_named) {
        Some(project) => Ok(project.clone()),
        None => Err(CliError::not_found(format!("there is no project `{name}`"))
            .hint(list_names("projects", projects.iter().map(|project| project.name.as_str())))),
    }
}

async fn fetch_project_here(client: &ApiClient) -> Result<Project, CliError> {
    let projects = fetch_projects(client).await?.items;
    let projects = match projects.as_slice() {
        [only] => return Ok(only.clone()),
        [] => {
            return Err(CliError::not_found("there is no project yet")
                .hint("go into a repository and run `forge init`"));
        }
        _ => projects,
    };
    let here = fetch_projects_at(client, &projects, Path::new(".")).await?;
    let (problem, choice) = match here.as_slice() {
        [only] => return Ok((*only).clone()),
        [] => ("there are several projects, and none is named", projects.iter().collect()),
        _ => ("several projects have this repository, and none is named", here),
    };
    let names = choice.iter().map(|project| project.name.as_str());
    Err(CliError::usage(problem)
        .hint("name one with --project or FORGE_PROJECT")
        .hint(list_names("projects", names)))
}

/// The projects whose repository contains a path.
async fn fetch_projects_at<'a>(
    client: &ApiClient,
    projects: &'a [Project],
    path: &Path,
) -> Result<Vec<&'a Project>, ClientError> {
    let places = repository_paths(path);
    let mut found = Vec::new();
    if places.is_empty() {
        return Ok(found);
    }
    for project in projects {
        let repos = fetch_repos(client, project.id).await?.items;
        let is_here = |repo: &Repo| {
            let path = repo.path.as_deref().map(Path::new);
            path.is_some_and(|path| places.iter().any(|place| place == path))
        };
        if repos.iter().any(is_here) {
            found.push(project);
        }
    }
    Ok(found)
}

/// All repositories of a project.
pub(crate) async fn fetch_repos(
    client: &ApiClient,
    project: Uuid,
) -> Result<Page<Repo>, ClientError> {
    collect_pages(MOST_NAMES, async |page: PageQuery| {
        client.repos().fetch_page(project, &page).await
    })
    .await
}

/// The repository of a project with this identifier or name.
pub(crate) async fn fetch_repo(
    client: &ApiClient,
    project: Uuid,
    name: &str,
) -> Result<Repo, CliError> {
    let repos = fetch_repos(client, project).await?.items;
    let id: Option<Uuid> = name.parse().ok();
    match repos.iter().find(|repo| repo.name == name || Some(repo.id) == id) {
        Some(repo) => Ok(repo.clone()),
        None => Err(CliError::not_found(format!("the project has no repository `{name}`"))
            .hint(list_names("repositories", repos.iter().map(|repo| repo.name.as_str())))),
    }
}

/// The only repository of a project.
pub(crate) async fn fetch_only_repo(
    client: &ApiClient,
    project: &Project,
) -> Result<Repo, CliError> {
    let repos = fetch_repos(client, project.id).await?.items;
    let of = &project.name;
    match repos.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(CliError::not_found(format!("the project {of} has no repository"))
            .hint("add one with `forge repo add`")),
        several => {
            Err(CliError::usage(format!("{of} has several repositories, and none is named"))
                .hint("name one with --repo")
                .hint(list_names("repositories", several.iter().map(|repo| repo.name.as_str()))))
        }
    }
}

/// The agent with this identifier or name.
pub(crate) async fn fetch_agent(client: &ApiClient, name: &str) -> Result<Agent, CliError> {
    if let Ok(id) = name.parse() {
        return Ok(client.agents().fetch(id).await?);
    }
    let agents = fetch_agents(client).await?.items;
    match agents.iter().find(|agent| agent.name == name) {
        Some(agent) => Ok(agent.clone()),
        None => Err(CliError::not_found(format!("there is no agent `{name}`"))
            .hint(list_names("agents", agents.iter().map(|agent| agent.name.as_str())))),
    }
}

/// The user with this name; the caller for `me`.
pub(crate) async fn fetch_user(client: &ApiClient, name: &str) -> Result<User, CliError> {
    let me = client.accounts().fetch_me().await?.user;
    if let Some(me) = me.filter(|me| name == "me" || me.name == name) {
        return Ok(me);
    }
    let users =
        collect_pages(MOST_NAMES, async |page: PageQuery| client.users().fetch_page(&page).await)
            .await?
            .items;
    let found = users.iter().find(|user| user.name == name).cloned();
    found.ok_or_else(|| {
        CliError::not_found(format!("there is no user `{name}`"))
            .hint(list_names("users", users.iter().map(|user| user.name.as_str())))
    })
}

/// The name of an assignee, where the caller may read it: the token of an execution may read its own task only.
pub(crate) async fn fetch_assignee_name(client: &ApiClient, who: RoleAssignee) -> String {
    match who {
        RoleAssignee::Agent(id) => match client.agents().fetch(id).await {
            Ok(agent) => agent.name,
            Err(_) => format!("agent {id}"),
        },
        RoleAssignee::User(id) => match client.users().fetch(id).await {
            Ok(user) => user.name,
            Err(_) => format!("user {id}"),
        },
    }
}

fn list_names<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.collect();
    if names.is_empty() {
        format!("there are no {what} yet")
    } else {
        format!("{what}: {}", names.join(", "))
    }
}
