//! From what people type to what the server knows.

use std::path::Path;

use clap::Args;
use forge_api::{Agent, Assignee, Page, PageQuery, Project, Repo, Task, User};
use forge_client::{Client, ClientError, collect};
use uuid::Uuid;

use crate::failure::Failure;
use crate::repository::places_of;
use crate::task_ref::TaskRef;

/// More names than a person can tell apart.
const MOST: usize = 2000;

/// Which project is meant.
#[derive(Debug, Clone, Args)]
pub(crate) struct ProjectOption {
    /// The project, by name or identifier; not needed in a repository of one, or while there is only one
    #[arg(long, short, env = "FORGE_PROJECT", value_name = "PROJECT", hide_env_values = true)]
    pub(crate) project: Option<String>,
}

impl ProjectOption {
    /// The named project, else the only one there is, else the one whose repository or workspace this is.
    pub(crate) async fn fetch(&self, client: &Client) -> Result<Project, Failure> {
        match &self.project {
            Some(name) => fetch_project(client, name).await,
            None => fetch_project_here(client).await,
        }
    }

    /// The identifier of the project that is meant; asks the server only if it has to.
    pub(crate) async fn fetch_id(&self, client: &Client) -> Result<Uuid, Failure> {
        match self.project.as_deref().map(str::parse) {
            Some(Ok(id)) => Ok(id),
            _ => Ok(self.fetch(client).await?.id),
        }
    }

    /// The task that is meant, in this project where it is named by number.
    pub(crate) async fn fetch_task(&self, client: &Client, task: TaskRef) -> Result<Task, Failure> {
        match task {
            TaskRef::Id(id) => Ok(client.fetch_task(id).await?),
            TaskRef::Number(number) => {
                let project = self.fetch_id(client).await?;
                Ok(client.fetch_numbered_task(project, number).await?)
            }
        }
    }

    /// The identifier of the task that is meant; asks the server only if it has to.
    pub(crate) async fn fetch_task_id(
        &self,
        client: &Client,
        task: TaskRef,
    ) -> Result<Uuid, Failure> {
        match task {
            TaskRef::Id(id) => Ok(id),
            TaskRef::Number(_) => Ok(self.fetch_task(client, task).await?.id),
        }
    }
}

/// All projects.
pub(crate) async fn fetch_projects(client: &Client) -> Result<Page<Project>, ClientError> {
    collect(MOST, async |page: PageQuery| client.fetch_projects(&page).await).await
}

/// All agents.
pub(crate) async fn fetch_agents(client: &Client) -> Result<Page<Agent>, ClientError> {
    collect(MOST, async |page: PageQuery| client.fetch_agents(&page).await).await
}

/// The project with this identifier, name or slug.
pub(crate) async fn fetch_project(client: &Client, name: &str) -> Result<Project, Failure> {
    if let Ok(id) = name.parse() {
        return Ok(client.fetch_project(id).await?);
    }
    let projects = fetch_projects(client).await?.items;
    let is_named = |project: &&Project| project.name == name || project.slug == name;
    match projects.iter().find(is_named) {
        Some(project) => Ok(project.clone()),
        None => Err(Failure::not_found(format!("there is no project `{name}`"))
            .hint(named("projects", projects.iter().map(|project| project.name.as_str())))),
    }
}

async fn fetch_project_here(client: &Client) -> Result<Project, Failure> {
    let projects = fetch_projects(client).await?.items;
    let projects = match projects.as_slice() {
        [only] => return Ok(only.clone()),
        [] => {
            return Err(Failure::not_found("there is no project yet")
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
    Err(Failure::usage(problem)
        .hint("name one with --project or FORGE_PROJECT")
        .hint(named("projects", names)))
}

/// Those that have the repository that a path belongs to.
async fn fetch_projects_at<'a>(
    client: &Client,
    projects: &'a [Project],
    path: &Path,
) -> Result<Vec<&'a Project>, ClientError> {
    let places = places_of(path);
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
pub(crate) async fn fetch_repos(client: &Client, project: Uuid) -> Result<Page<Repo>, ClientError> {
    collect(MOST, async |page: PageQuery| client.fetch_repos(project, &page).await).await
}

/// The repository of a project with this identifier or name.
pub(crate) async fn fetch_repo(
    client: &Client,
    project: Uuid,
    name: &str,
) -> Result<Repo, Failure> {
    let repos = fetch_repos(client, project).await?.items;
    let id: Option<Uuid> = name.parse().ok();
    match repos.iter().find(|repo| repo.name == name || Some(repo.id) == id) {
        Some(repo) => Ok(repo.clone()),
        None => Err(Failure::not_found(format!("the project has no repository `{name}`"))
            .hint(named("repositories", repos.iter().map(|repo| repo.name.as_str())))),
    }
}

/// The only repository of a project.
pub(crate) async fn fetch_only_repo(client: &Client, project: &Project) -> Result<Repo, Failure> {
    let repos = fetch_repos(client, project.id).await?.items;
    let of = &project.name;
    match repos.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(Failure::not_found(format!("the project {of} has no repository"))
            .hint("add one with `forge repo add`")),
        several => Err(Failure::usage(format!("{of} has several repositories, and none is named"))
            .hint("name one with --repo")
            .hint(named("repositories", several.iter().map(|repo| repo.name.as_str())))),
    }
}

/// The agent with this identifier or name.
pub(crate) async fn fetch_agent(client: &Client, name: &str) -> Result<Agent, Failure> {
    if let Ok(id) = name.parse() {
        return Ok(client.fetch_agent(id).await?);
    }
    let agents = fetch_agents(client).await?.items;
    match agents.iter().find(|agent| agent.name == name) {
        Some(agent) => Ok(agent.clone()),
        None => Err(Failure::not_found(format!("there is no agent `{name}`"))
            .hint(named("agents", agents.iter().map(|agent| agent.name.as_str())))),
    }
}

/// The user with this name; the caller for `me`.
pub(crate) async fn fetch_user(client: &Client, name: &str) -> Result<User, Failure> {
    let me = client.fetch_me().await?.user;
    if let Some(me) = me.filter(|me| name == "me" || me.name == name) {
        return Ok(me);
    }
    let users = collect(MOST, async |page: PageQuery| client.fetch_users(&page).await).await?.items;
    let found = users.iter().find(|user| user.name == name).cloned();
    found.ok_or_else(|| {
        Failure::not_found(format!("there is no user `{name}`"))
            .hint(named("users", users.iter().map(|user| user.name.as_str())))
    })
}

/// Who holds a role or decided something, by name where the caller may know it: the token of an execution opens its own
/// task only.
pub(crate) async fn name_of(client: &Client, who: Assignee) -> String {
    match who {
        Assignee::Agent(id) => match client.fetch_agent(id).await {
            Ok(agent) => agent.name,
            Err(_) => format!("agent {id}"),
        },
        Assignee::User(id) => match client.fetch_user(id).await {
            Ok(user) => user.name,
            Err(_) => format!("user {id}"),
        },
    }
}

fn named<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.collect();
    if names.is_empty() {
        format!("there are no {what} yet")
    } else {
        format!("{what}: {}", names.join(", "))
    }
}
