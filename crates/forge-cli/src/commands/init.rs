//! The command `forge init`.

use std::path::PathBuf;

use clap::Args;
use forge_api::{NewProject, NewRepo, PageQuery, Project, Repo, RepoSource};
use forge_client::{ApiClient, collect_pages};
use serde_json::json;

use crate::cli_error::CliError;
use crate::commands::repo::repo_subcommand::local_source;
use crate::commands::workflow::workflow_file;
use crate::context::CliContext;
use crate::lookup::fetch_projects;
use crate::repository::find_checkout_root;
use crate::terminal::branch_question::{BranchAnswer, add_repo, ask_for_branch};
use crate::terminal::text_table::one_line;

/// Register the current repository
///
/// Creates a project named after the directory, unless one of that name exists, and adds the repository to it. The
/// repository itself is not changed. Repeating the command changes nothing.
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Directory inside the repository
    #[arg(default_value = ".")]
    path: PathBuf,
    /// Name of the project
    #[arg(long)]
    name: Option<String>,
    /// Workflow of a new project: the name of a built-in one, or a workflow file
    #[arg(long)]
    workflow: Option<String>,
    /// Branch that work lands on; default: determined by the server
    #[arg(long, value_name = "BRANCH")]
    default_branch: Option<String>,
}

impl InitArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let top = find_checkout_root(&self.path)?;
        let source = local_source(&top)?;
        let name = match &self.name {
            Some(name) => name.clone(),
            None => top.file_name().map(|name| name.to_string_lossy().into_owned()).ok_or_else(
                || CliError::usage("the directory has no name").hint("give one with --name"),
            )?,
        };
        let client = context.client()?;
        let project = self.project(&client, &name, &source).await?;
        let repo = repository(&client, &project, source, self.default_branch).await?;
        let document = json!({ "project": project, "repo": repo });
        context.output.print_result(&document, || {
            format!(
                "Project {} works on {}",
                one_line(&project.name),
                one_line(repo.path.as_deref().unwrap_or_default())
            )
        })?;
        context
            .output
            .print_note("Next: `forge agent add NAME -- COMMAND…`, then `forge task new TITLE`.");
        Ok(())
    }

    /// A new project is created together with its repository, or not at all.
    async fn project(
        &self,
        client: &ApiClient,
        name: &str,
        source: &RepoSource,
    ) -> Result<Project, CliError> {
        let existing = fetch_projects(client).await?.items;
        let is_named = |project: &Project| project.name == name || project.slug == name;
        if let Some(project) = existing.into_iter().find(is_named) {
            return Ok(project);
        }
        let workflow = self.workflow.as_deref().map(workflow_file::choose_workflow).transpose()?;
        let repo_path = match source {
            RepoSource::Path(path) => Some(path.clone()),
            RepoSource::Url(_) => None,
        };
        let request = NewProject {
            name: name.to_owned(),
            workspace_type: None,
            workflow,
            settings: None,
            repo_path,
            repo_default_branch: self.default_branch.clone(),
        };
        let first = client.projects().create(&request).await;
        match ask_for_branch(first).await? {
            BranchAnswer::Done(project) => Ok(project),
            BranchAnswer::Branch(branch) => {
                let request = NewProject { repo_default_branch: Some(branch), ..request };
                Ok(client.projects().create(&request).await?)
            }
        }
    }
}

async fn repository(
    client: &ApiClient,
    project: &Project,
    source: RepoSource,
    default_branch: Option<String>,
) -> Result<Repo, CliError> {
    let list = async |page: PageQuery| client.repos().fetch_page(project.id, &page).await;
    let existing = collect_pages(1000, list).await?.items;
    let is_same = |repo: &Repo| repo.path.clone().map(RepoSource::Path).as_ref() == Some(&source);
    if let Some(repo) = existing.into_iter().find(is_same) {
        return Ok(repo);
    }
    let request = NewRepo { source, name: None, token: None, default_branch };
    add_repo(client, project.id, request).await
}
