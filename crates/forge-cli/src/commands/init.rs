//! `forge init`

use std::path::PathBuf;

use clap::Args;
use forge_api::{NewProject, NewRepo, PageQuery, Project, Repo, RepoSource};
use forge_client::{Client, collect};
use serde_json::json;

use super::repo::local_source;
use super::workflow_file;
use crate::context::Context;
use crate::failure::Failure;
use crate::lookup::fetch_projects;
use crate::repository::find_top;
use crate::table::one_line;

/// Register the repository you stand in
///
/// Makes a project named after the directory, unless there is one of that name, and adds the repository to it. The
/// repository itself is not changed. Doing it again changes nothing.
#[derive(Debug, Args)]
pub(crate) struct Init {
    /// A directory in the repository
    #[arg(default_value = ".")]
    path: PathBuf,
    /// The project's name
    #[arg(long)]
    name: Option<String>,
    /// A built-in workflow's name, or a workflow file, for a new project
    #[arg(long)]
    workflow: Option<String>,
}

impl Init {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let top = find_top(&self.path)?;
        let source = local_source(&top)?;
        let name = match &self.name {
            Some(name) => name.clone(),
            None => top.file_name().map(|name| name.to_string_lossy().into_owned()).ok_or_else(
                || Failure::usage("the directory has no name").hint("give one with --name"),
            )?,
        };
        let client = context.client()?;
        let project = self.project(&client, &name, &source).await?;
        let repo = repository(&client, &project, source).await?;
        let document = json!({ "project": project, "repo": repo });
        context.output.result(&document, || {
            format!(
                "Project {} works on {}",
                one_line(&project.name),
                one_line(repo.path.as_deref().unwrap_or_default())
            )
        })?;
        context
            .output
            .note("Next: `forge agent add NAME -- COMMAND…`, then `forge task new TITLE`.");
        Ok(())
    }

    /// A new project is made with its repository or not at all.
    async fn project(
        &self,
        client: &Client,
        name: &str,
        source: &RepoSource,
    ) -> Result<Project, Failure> {
        let existing = fetch_projects(client).await?.items;
        let is_named = |project: &Project| project.name == name || project.slug == name;
        if let Some(project) = existing.into_iter().find(is_named) {
            return Ok(project);
        }
        let workflow = self.workflow.as_deref().map(workflow_file::choose).transpose()?;
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
        };
        Ok(client.create_project(&request).await?)
    }
}

async fn repository(
    client: &Client,
    project: &Project,
    source: RepoSource,
) -> Result<Repo, Failure> {
    let list = async |page: PageQuery| client.fetch_repos(project.id, &page).await;
    let existing = collect(1000, list).await?.items;
    let is_same = |repo: &Repo| repo.path.clone().map(RepoSource::Path).as_ref() == Some(&source);
    if let Some(repo) = existing.into_iter().find(is_same) {
        return Ok(repo);
    }
    let request = NewRepo { source, name: None, token: None };
    Ok(client.add_repo(project.id, &request).await?)
}
