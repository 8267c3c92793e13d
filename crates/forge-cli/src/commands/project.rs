//! `forge project`

use clap::Subcommand;
use forge_api::{NewProject, WorkspaceType};

use super::project_members::ProjectMembers;
use super::project_workflow::ProjectWorkflow;
use super::workflow_file;
use crate::context::Context;
use crate::failure::Failure;
use crate::lookup::{fetch_project, fetch_projects};
use crate::paint::Ink;
use crate::table::{Table, one_line};
use crate::words::{more, time, word};

/// Projects: boards with their repositories and workflow
#[derive(Debug, Subcommand)]
pub(crate) enum Project {
    /// List projects
    #[command(visible_alias = "ls")]
    List,
    /// Create a project
    New {
        /// Its name
        name: String,
        /// A built-in workflow's name, or a workflow file
        #[arg(long)]
        workflow: Option<String>,
        /// Work in one plain directory without git, one task at a time
        #[arg(long)]
        persistent_directory: bool,
    },
    /// Show a project, its repositories and its workflow
    Show {
        /// Name or identifier
        project: String,
    },
    /// Keep agents from claiming its tasks; people still can
    Pause {
        /// Name or identifier
        project: String,
    },
    /// Let agents claim its tasks again
    Resume {
        /// Name or identifier
        project: String,
    },
    Workflow(ProjectWorkflow),
    #[command(flatten)]
    Members(ProjectMembers),
}

impl Project {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let client = context.client()?;
        match self {
            Self::List => list(context).await,
            Self::Workflow(workflow) => workflow.run(context).await,
            Self::Members(members) => members.run(context).await,
            Self::Show { project } => show(context, &project).await,
            Self::New { name, workflow, persistent_directory } => {
                let workflow = workflow.as_deref().map(workflow_file::choose).transpose()?;
                let request = NewProject {
                    name,
                    workspace_type: persistent_directory
                        .then_some(WorkspaceType::PersistentDirectory),
                    workflow,
                    settings: None,
                    repo_path: None,
                };
                let project = client.create_project(&request).await?;
                tell(context, &project, "Created")?;
                context.output.note(match project.workspace_type {
                    WorkspaceType::GitWorktree => {
                        "Next: add a repository with `forge repo add PATH`."
                    }
                    WorkspaceType::PersistentDirectory => {
                        "Next: add a task with `forge task new TITLE`."
                    }
                });
                Ok(())
            }
            Self::Pause { project } => {
                let id = fetch_project(&client, &project).await?.id;
                tell(context, &client.pause_project(id).await?, "Paused")
            }
            Self::Resume { project } => {
                let id = fetch_project(&client, &project).await?.id;
                tell(context, &client.resume_project(id).await?, "Resumed")
            }
        }
    }
}

fn tell(context: &Context, project: &forge_api::Project, what: &str) -> Result<(), Failure> {
    context.output.result(project, || format!("{what} project {}", one_line(&project.name)))
}

async fn list(context: &Context) -> Result<(), Failure> {
    let page = fetch_projects(&context.client()?).await?;
    let mut table = Table::new(&["name", "slug", "workflow", "condition", "created"]).flexible(0);
    for project in &page.items {
        let condition = match project.paused_at {
            Some(_) => (Ink::Doubtful, "paused"),
            None => (Ink::Good, "running"),
        };
        table.row([
            (Ink::Strong, &project.name),
            (Ink::Plain, &project.slug),
            (Ink::Plain, &project.workflow.name),
            condition,
            (Ink::Faint, &time(&project.created_at)),
        ]);
    }
    context.output.table(&page, &table)?;
    if let Some(text) = more(&page) {
        context.output.note(text);
    }
    if page.items.is_empty() {
        context.output.note("No project yet. Go into a repository and run `forge init`.");
    }
    Ok(())
}

async fn show(context: &Context, name: &str) -> Result<(), Failure> {
    let client = context.client()?;
    let project = fetch_project(&client, name).await?;
    if context.output.is_json() {
        return context.output.result(&project, String::new);
    }
    let repos = client.fetch_repos(project.id, &forge_api::PageQuery::default()).await?;
    let mut text = format!(
        "{}\n  identifier  {}\n  slug        {}\n  workspaces  {}\n  workflow    {}\n",
        context.output.ink(Ink::Strong, &one_line(&project.name)),
        project.id,
        project.slug,
        word(&project.workspace_type),
        one_line(&project.workflow.name),
    );
    if let Some(at) = &project.paused_at {
        let paused = context.output.ink(Ink::Doubtful, &time(at));
        text.push_str(&format!("  paused      {paused}\n"));
    }
    for step in &project.settings.default_review_config.ci_steps {
        text.push_str(&format!("  check       {}\n", one_line(step)));
    }
    for repo in &repos.items {
        let place = repo.path.as_deref().or(repo.url.as_deref()).unwrap_or_default();
        let primary = if repo.primary { " (primary)" } else { "" };
        text.push_str(&format!(
            "  repository  {}{primary}  {}\n",
            one_line(&repo.name),
            one_line(place)
        ));
    }
    context.output.text(&text)
}
