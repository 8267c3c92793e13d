//! Resolves the names that people and agents use to identifiers.

use forge_api::actions;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::mcp::reply::{Correction, SuggestedCall, ToolRefusal};
use crate::mcp::request::api_requests::ApiRequest;
use crate::mcp::tool::{ToolCall, nearest_name};

/// How many projects a search for a task number tries.
const MOST_PROJECTS: usize = 20;
/// How many names a refusal lists.
const MOST_NAMES: usize = 12;

/// Resolves the names in one call.
#[derive(Debug)]
pub(crate) struct NameResolver<'a> {
    call: &'a ToolCall<'a>,
}

/// A project that a call names.
#[derive(Debug, Clone)]
pub(crate) struct NamedProject {
    pub(crate) id: String,
    pub(crate) slug: String,
}

/// A task that a call names.
#[derive(Debug, Clone)]
pub(crate) struct NamedTask {
    pub(crate) id: String,
    /// The name of the task in links: its key where that is unique for the caller, otherwise its identifier.
    pub(crate) name: String,
}

impl NamedTask {
    fn from_id(id: String) -> Self {
        Self { name: id.clone(), id }
    }

    /// The address of a resource of the task.
    pub(crate) fn uri(&self, part: &str) -> String {
        format!("forge://task/{}/{part}", self.name)
    }
}

impl<'a> NameResolver<'a> {
    pub(crate) fn new(call: &'a ToolCall<'a>) -> Self {
        Self { call }
    }

    /// The project with this identifier, slug or name; without one, the execution's, otherwise the caller's only one.
    pub(crate) async fn project(&self, name: Option<&str>) -> Result<NamedProject, ToolRefusal> {
        if let Some(owner) = self.call.caller.execution() {
            let id = owner.project_id.to_string();
            return Ok(NamedProject { slug: id.clone(), id });
        }
        let projects = self.projects().await?;
        let Some(name) = name else {
            return match projects.as_slice() {
                [only] => Ok(only.clone()),
                [] => Err(ToolRefusal::new(
                    "not_found",
                    "There is no project that you may see. Create one with forge_create_project or `forge init`.",
                )
                .with_correction(read_projects())),
                _ => Err(self.several_projects(&projects)),
            };
        };
        let is_named = |project: &&NamedProject| project.id == name || project.slug == name;
        if let Some(found) = projects.iter().find(is_named) {
            return Ok(found.clone());
        }
        let slugs = projects.iter().map(|project| project.slug.as_str());
        let refusal = ToolRefusal::new(
            "not_found",
            format!(
                "There is no project `{name}` that you may see. Projects: {}.",
                list(&projects)
            ),
        );
        let only = projects.first().filter(|_| projects.len() == 1);
        let meant = nearest_name(name, slugs).or(only.map(|project| project.slug.as_str()));
        Err(match meant {
            Some(slug) => refusal.with_correction(self.with_argument("project", slug)),
            None => refusal.with_correction(read_projects()),
        })
    }

    /// The task with this key, number or identifier; without one, the execution's own.
    pub(crate) async fn task(&self, name: Option<&str>) -> Result<NamedTask, ToolRefusal> {
        if let Some(owner) = self.call.caller.execution() {
            return self.task_of_execution(name, &owner.task_id.to_string()).await;
        }
        let Some(name) = name else {
            return Err(ToolRefusal::new(
                "invalid_field",
                "`task` is missing: name it, such as T-12.",
            )
            .with_correction(Correction::FindTask));
        };
        if name.parse::<Uuid>().is_ok() {
            return Ok(NamedTask::from_id(name.to_owned()));
        }
        let Some(number) = task_number(name) else {
            return Err(self.no_task(name));
        };
        match self.project(self.call.text("project")).await {
            Ok(project) => {
                let id = self.task_by_number(&project, number).await?;
                let id = id.ok_or_else(|| self.no_task(name))?;
                let is_only = self.call.text("project").is_none();
                let name = if is_only { format!("T-{number}") } else { id.clone() };
                Ok(NamedTask { id, name })
            }
            Err(refusal) if self.call.text("project").is_some() => Err(refusal),
            Err(refusal) => Err(self.with_project_of(number, refusal).await?),
        }
    }

    /// The running execution of a task, otherwise its latest one; or the named one.
    pub(crate) async fn execution(&self) -> Result<String, ToolRefusal> {
        if let Some(id) = self.call.text("execution") {
            if id.parse::<Uuid>().is_ok() {
                return Ok(id.to_owned());
            }
            let mut arguments = self.call.arguments.clone();
            arguments.remove("execution");
            let why = format!(
                "`{id}` is not the identifier of an execution. Leave it out to mean the last one."
            );
            return Err(ToolRefusal::new("not_found", why)
                .with_correction(Correction::Arguments(arguments)));
        }
        let task = self.call.task().await?;
        self.last_execution(&task).await
    }

    /// The running execution of this task, otherwise its latest one.
    pub(crate) async fn last_execution(&self, task: &NamedTask) -> Result<String, ToolRefusal> {
        let asked = ApiRequest::new(&actions::LIST_EXECUTIONS).at(&task.id);
        let executions = self.call.requests.send_for_all(asked).await?;
        let last = executions.iter().max_by_key(|execution| {
            let is_open = execution["status"] != "finished";
            (is_open, execution["started_at"].as_str(), execution["id"].as_str())
        });
        let id = last.and_then(|execution| execution["id"].as_str());
        id.map(str::to_owned).ok_or_else(|| {
            let arguments = json!({ "what": "actions", "task": task.id });
            let call = match self.call.caller.execution() {
                Some(_) => SuggestedCall::new("forge_show_task", json!({})),
                None => SuggestedCall::new("forge_read", arguments),
            };
            ToolRefusal::new(
                "not_found",
                "The task has no execution yet. Give it to an agent with forge_assign_agent first.",
            )
            .with_correction(Correction::Call(call))
        })
    }

    /// The identifier of the agent with this name or identifier.
    pub(crate) async fn agent(&self, name: &str) -> Result<String, ToolRefusal> {
        if name.parse::<Uuid>().is_ok() {
            return Ok(name.to_owned());
        }
        let asked = ApiRequest::new(&actions::LIST_AGENTS);
        let agents = self.call.requests.send_for_all(asked).await?;
        let found = agents.iter().find(|agent| agent["name"] == name);
        if let Some(id) = found.and_then(|agent| agent["id"].as_str()) {
            return Ok(id.to_owned());
        }
        let names: Vec<_> = agents.iter().filter_map(|agent| agent["name"].as_str()).collect();
        let shown = names.iter().take(MOST_NAMES).copied().collect::<Vec<_>>().join(", ");
        let refusal = ToolRefusal {
            details: Box::new(json!({ "kind": "agent", "id": name })),
            ..ToolRefusal::new("not_found", format!("There is no agent `{name}`. Agents: {shown}."))
        };
        let only = names.first().filter(|_| names.len() == 1).copied();
        Err(match nearest_name(name, names.iter().copied()).or(only) {
            Some(meant) => refusal.with_correction(self.with_argument("agent", meant)),
            None => refusal,
        })
    }

    /// The identifier of the repository with this name or identifier.
    pub(crate) async fn repo(&self, project: &str, name: &str) -> Result<String, ToolRefusal> {
        if name.parse::<Uuid>().is_ok() {
            return Ok(name.to_owned());
        }
        let asked = ApiRequest::new(&actions::LIST_REPOS).at(project);
        let repos = self.call.requests.send_for_all(asked).await?;
        let found = repos.iter().find(|repo| repo["name"] == name);
        if let Some(id) = found.and_then(|repo| repo["id"].as_str()) {
            return Ok(id.to_owned());
        }
        let names: Vec<_> = repos.iter().filter_map(|repo| repo["name"].as_str()).collect();
        let why = format!("The project has no repository `{name}`. It has: {}.", names.join(", "));
        let refusal = ToolRefusal::new("not_found", why);
        Err(match nearest_name(name, names.iter().copied()).or(names.first().copied()) {
            Some(meant) => refusal.with_correction(self.with_argument("repo", meant)),
            None => refusal,
        })
    }

    /// The names of all agents that the caller may see, by identifier; none for an execution.
    pub(crate) async fn agent_names(&self) -> Result<Vec<(String, String)>, ToolRefusal> {
        if self.call.caller.execution().is_some() {
            return Ok(Vec::new());
        }
        let asked = ApiRequest::new(&actions::LIST_AGENTS);
        let agents = self.call.requests.send_for_all(asked).await?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        Ok(agents.iter().map(|agent| (text(&agent["id"]), text(&agent["name"]))).collect())
    }

    async fn projects(&self) -> Result<Vec<NamedProject>, ToolRefusal> {
        let asked = ApiRequest::new(&actions::LIST_PROJECTS);
        let projects = self.call.requests.send_for_all(asked).await?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let named = |project: &Value| NamedProject {
            id: text(&project["id"]),
            slug: text(&project["slug"]),
        };
        Ok(projects.iter().map(named).collect())
    }

    async fn task_by_number(
        &self,
        project: &NamedProject,
        number: u64,
    ) -> Result<Option<String>, ToolRefusal> {
        let asked = ApiRequest::new(&actions::GET_TASK_BY_NUMBER);
        let asked = asked.at(&project.id).at(&number.to_string());
        match self.call.requests.send(asked).await {
            Ok(task) => Ok(task["id"].as_str().map(str::to_owned)),
            Err(error) if error.code() == forge_api::ErrorCode::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The refusal of a number without a project, with the first project that has a task of this number.
    async fn with_project_of(
        &self,
        number: u64,
        refusal: ToolRefusal,
    ) -> Result<ToolRefusal, ToolRefusal> {
        for project in self.projects().await?.iter().take(MOST_PROJECTS) {
            if self.task_by_number(project, number).await?.is_some() {
                return Ok(refusal.with_correction(self.with_argument("project", &project.slug)));
            }
        }
        Ok(refusal)
    }

    /// The execution's own task, or one of its subtasks.
    async fn task_of_execution(
        &self,
        name: Option<&str>,
        own: &str,
    ) -> Result<NamedTask, ToolRefusal> {
        let Some(name) = name.filter(|name| *name != own) else {
            return Ok(NamedTask::from_id(own.to_owned()));
        };
        if name.parse::<Uuid>().is_ok() {
            // The API knows which tasks the token gives access to.
            return Ok(NamedTask::from_id(name.to_owned()));
        }
        let task = self.call.send(ApiRequest::new(&actions::GET_TASK).at(own)).await?;
        let subtasks = ApiRequest::new(&actions::LIST_SUBTASKS).at(own);
        let subtasks = self.call.requests.send_for_all(subtasks).await?;
        let number = task_number(name);
        let found =
            [task].into_iter().chain(subtasks).find(|task| task["number"].as_u64() == number);
        match found.as_ref().and_then(|task| task["id"].as_str()) {
            Some(id) if number.is_some() => Ok(NamedTask::from_id(id.to_owned())),
            _ => {
                let mut arguments = self.call.arguments.clone();
                arguments.remove("task");
                let why = format!(
                    "`{name}` is not your task and none of its subtasks. Leave `task` out to mean your own."
                );
                Err(ToolRefusal::new("not_found", why)
                    .with_correction(Correction::Arguments(arguments)))
            }
        }
    }

    fn several_projects(&self, projects: &[NamedProject]) -> ToolRefusal {
        let why =
            format!("You may see several projects: {}. Name one in `project`.", list(projects));
        ToolRefusal::new("invalid_field", why).with_correction(read_projects())
    }

    fn no_task(&self, name: &str) -> ToolRefusal {
        let why = format!(
            "There is no task `{name}` that you may see. Name it by its key, such as T-12."
        );
        ToolRefusal::new("not_found", why).with_correction(Correction::FindTask)
    }

    fn with_argument(&self, name: &str, value: &str) -> Correction {
        let mut arguments = self.call.arguments.clone();
        arguments.insert(name.to_owned(), json!(value));
        Correction::Arguments(arguments)
    }
}

/// The number in `T-12`, `#12` or `12`.
fn task_number(name: &str) -> Option<u64> {
    let marks = ["T-", "t-", "#"];
    let digits = marks.iter().find_map(|mark| name.strip_prefix(mark)).unwrap_or(name);
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { digits.parse().ok() } else { None }
}

fn read_projects() -> Correction {
    Correction::Call(SuggestedCall::new("forge_read", json!({ "what": "projects" })))
}

fn list(projects: &[NamedProject]) -> String {
    let slugs: Vec<_> =
        projects.iter().take(MOST_NAMES).map(|project| project.slug.as_str()).collect();
    slugs.join(", ")
}
