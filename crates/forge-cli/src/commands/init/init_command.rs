//! The command `forge init`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use forge_agent::AgentKind;
use forge_api::{NewProject, NewRepo, PageQuery, Project, Repo, RepoSource};
use forge_client::{ApiClient, collect_pages};
use serde_json::json;

use crate::cli_error::CliError;
use crate::commands::init::agent_offer::offer_agents;
use crate::commands::init::init_server::InitServer;
use crate::commands::repo::repo_subcommand::local_source;
use crate::commands::workflow::workflow_file;
use crate::context::CliContext;
use crate::lookup::fetch_projects;
use crate::repository::find_checkout_root;
use crate::terminal::branch_question::{BranchAnswer, add_repo, ask_for_branch};
use crate::terminal::text_table::one_line;

/// Start a server if necessary, and register the current repository
///
/// Uses the server of `--url` or of the last `forge login`; otherwise the one of your data directory, which it starts
/// in the background if it does not run, and signs in. Creates a project named after the directory, unless one of that
/// name exists, and adds the repository to it. Offers the agent programs that it finds. The repository itself is not
/// changed. Repeating the command changes nothing.
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
    /// Add an agent for this installed program; may be repeated
    #[arg(long = "agent", value_name = "KIND", value_parser = program_parser())]
    agents: Vec<AgentKind>,
}

/// The kinds whose program has a name of its own.
fn program_parser() -> impl TypedValueParser<Value = AgentKind> {
    let own = |kind: &AgentKind| !matches!(kind, AgentKind::Shell | AgentKind::Acp);
    let names = AgentKind::ALL.into_iter().filter(own).map(AgentKind::as_str);
    PossibleValuesParser::new(names).try_map(|word| serde_json::from_value(word.into()))
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
        let server = InitServer::connect(context).await?;
        for note in server.notes() {
            context.output.print_note(&note);
        }
        let client = &server.client;
        let project = self.project(client, &name, &source).await?;
        let repo = repository(client, &project, source, self.default_branch).await?;
        let offer = offer_agents(context, client, &self.agents, server.local.is_some()).await?;
        let document = json!({
            "project": project, "repo": repo, "server": server.document(), "agents": offer.added,
        });
        context.output.print_result(&document, || {
            format!(
                "Project {} works on {}",
                one_line(&project.name),
                one_line(repo.path.as_deref().unwrap_or_default())
            )
        })?;
        for note in &offer.notes {
            context.output.print_note(note);
        }
        let next = match &offer.example {
            Some(agent) => {
                format!("Next: forge task new \"TITLE\" --agent {} --start", one_line(agent))
            }
            None => {
                "Next: `forge agent add NAME -- COMMAND…`, then `forge task new TITLE`.".to_owned()
            }
        };
        context.output.print_note(&next);
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
