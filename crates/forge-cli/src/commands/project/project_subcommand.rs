//! The command `forge project`.

use clap::Subcommand;
use forge_api::{NewProject, WorkspaceType};

use crate::cli_error::CliError;
use crate::commands::project::project_members::ProjectMembersSubcommand;
use crate::commands::project::project_remove::ProjectRemoveArgs;
use crate::commands::project::project_review::{ProjectChecksArgs, ProjectReviewerArgs};
use crate::commands::project::project_workflow::ProjectWorkflowArgs;
use crate::commands::workflow::workflow_file;
use crate::context::CliContext;
use crate::lookup::{ProjectOption, fetch_assignee_name, fetch_project, fetch_projects};
use crate::terminal::text_style::TextStyle;
use crate::terminal::text_table::{TextTable, one_line};
use crate::terminal::wire_words::{truncation_note, wire_name};

/// Projects: boards with their repositories and workflow
#[derive(Debug, Subcommand)]
pub(crate) enum ProjectSubcommand {
    /// List all projects
    #[command(visible_alias = "ls")]
    List,
    /// Create a project
    New {
        /// Name of the project
        name: String,
        /// Name of a built-in workflow, or a workflow file
        #[arg(long)]
        workflow: Option<String>,
        /// Work in one plain directory without git, one task at a time
        #[arg(long)]
        persistent_directory: bool,
    },
    /// Show a project, its repositories and its workflow
    Show {
        /// Name or identifier; optional inside its repository, or if there is only one project
        project: Option<String>,
    },
    /// Stop agents from claiming its tasks; users still can
    Pause {
        /// Name or identifier
        project: String,
    },
    /// Let agents claim its tasks again
    Resume {
        /// Name or identifier
        project: String,
    },
    Remove(ProjectRemoveArgs),
    Workflow(ProjectWorkflowArgs),
    Checks(ProjectChecksArgs),
    Reviewer(ProjectReviewerArgs),
    #[command(flatten)]
    Members(ProjectMembersSubcommand),
}

impl ProjectSubcommand {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        match self {
            Self::List => list(context).await,
            Self::Remove(remove) => remove.run(context).await,
            Self::Workflow(workflow) => workflow.run(context).await,
            Self::Members(members) => members.run(context).await,
            Self::Checks(checks) => checks.run(context).await,
            Self::Reviewer(reviewer) => reviewer.run(context).await,
            Self::Show { project } => show(context, project).await,
            Self::New { name, workflow, persistent_directory } => {
                let workflow =
                    workflow.as_deref().map(workflow_file::choose_workflow).transpose()?;
                let request = NewProject {
                    name,
                    workspace_type: persistent_directory
                        .then_some(WorkspaceType::PersistentDirectory),
                    workflow,
                    settings: None,
                    repo_path: None,
                    repo_default_branch: None,
                };
                let project = client.projects().create(&request).await?;
                print_project(context, &project, "Created")?;
                context.output.print_note(match project.workspace_type {
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
                print_project(context, &client.projects().pause(id).await?, "Paused")
            }
            Self::Resume { project } => {
                let id = fetch_project(&client, &project).await?.id;
                print_project(context, &client.projects().resume(id).await?, "Resumed")
            }
        }
    }
}

fn print_project(
    context: &CliContext,
    project: &forge_api::Project,
    what: &str,
) -> Result<(), CliError> {
    context.output.print_result(project, || format!("{what} project {}", one_line(&project.name)))
}

async fn list(context: &CliContext) -> Result<(), CliError> {
    let page = fetch_projects(&context.client()?).await?;
    let mut table =
        TextTable::new(&["name", "slug", "workflow", "condition", "created"]).flexible(0);
    for project in &page.items {
        let condition = match project.paused_at {
            Some(_) => (TextStyle::Warning, "paused"),
            None => (TextStyle::Success, "running"),
        };
        table.row([
            (TextStyle::Bold, &project.name),
            (TextStyle::Plain, &project.slug),
            (TextStyle::Plain, &project.workflow.name),
            condition,
            (TextStyle::Dim, &context.now.ago(&project.created_at)),
        ]);
    }
    context.output.print_table(&page, &table)?;
    if let Some(text) = truncation_note(&page) {
        context.output.print_note(text);
    }
    if page.items.is_empty() {
        context.output.print_note("No project yet. Go into a repository and run `forge init`.");
    }
    Ok(())
}

async fn show(context: &CliContext, project: Option<String>) -> Result<(), CliError> {
    let client = context.client()?;
    let project = ProjectOption { project }.fetch(&client).await?;
    if context.output.is_json() {
        return context.output.print_result(&project, String::new);
    }
    let repos = client.repos().fetch_page(project.id, &forge_api::PageQuery::default()).await?;
    let mut text = format!(
        "{}\n  slug        {}\n  workspaces  {}\n  workflow    {}\n",
        context.output.styled(TextStyle::Bold, &one_line(&project.name)),
        project.slug,
        wire_name(&project.workspace_type),
        one_line(&project.workflow.name),
    );
    if let Some(at) = &project.paused_at {
        let paused = context.output.styled(TextStyle::Warning, &context.now.ago(at));
        text.push_str(&format!("  paused      {paused}\n"));
    }
    for step in &project.settings.default_review_config.ci_steps {
        text.push_str(&format!("  check       {}\n", one_line(step)));
    }
    if let Some(reviewer) = project.settings.default_reviewer {
        let reviewer = fetch_assignee_name(&client, reviewer).await;
        text.push_str(&format!("  reviewer    {}\n", one_line(&reviewer)));
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
    context.output.print_text(&text)
}
