//! Fetches the names that a shell offers.

use std::ffi::OsStr;
use std::time::Duration;

use clap::Parser;
use clap_complete::CompletionCandidate;
use forge_api::{TaskQuery, TaskSort};
use forge_client::ApiClient;
use tokio::runtime::Builder;

use crate::cli::ForgeCli;
use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::environment::ProcessEnvironment;
use crate::lookup::{ProjectOption, fetch_agents, fetch_projects};
use crate::terminal::cli_output::CliOutput;
use crate::terminal::relative_time::CurrentTime;
use crate::terminal::text_table::one_line;

/// A user who presses the key waits for the answer.
const PATIENCE: Duration = Duration::from_millis(500);

/// Most tasks that are offered, latest change first.
const MOST_TASKS: u32 = 100;

/// What an argument names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameKind {
    Task,
    Agent,
    Project,
    State,
}

/// A name, and what it stands for.
type NamedItem = (String, String);

/// The names on the server of this user.
#[derive(Debug, Clone)]
pub(crate) struct NameCandidates {
    environment: ProcessEnvironment,
}

impl NameCandidates {
    pub(crate) fn new(environment: ProcessEnvironment) -> Self {
        Self { environment }
    }

    /// The names that begin with what was typed; none without a server.
    pub(crate) fn find(&self, kind: NameKind, typed: &OsStr) -> Vec<CompletionCandidate> {
        let Some(typed) = typed.to_str() else { return Vec::new() };
        let found = self.fetch(kind).unwrap_or_default();
        let found = found.into_iter().filter(|(name, _)| name.starts_with(typed));
        found.map(|(name, help)| CompletionCandidate::new(name).help(Some(help.into()))).collect()
    }

    fn fetch(&self, kind: NameKind) -> Result<Vec<NamedItem>, CliError> {
        // The command itself does not matter: only the options that the environment gives.
        let options = ForgeCli::try_parse_from(["forge", "options"])
            .map_err(|error| CliError::usage(error.to_string()))?
            .options;
        let output = CliOutput::new(&options, &self.environment);
        let (environment, now) = (self.environment.clone(), CurrentTime::read());
        let context = CliContext { options, environment, output, now };
        let project = self.environment.get("FORGE_PROJECT").and_then(OsStr::to_str);
        let project = ProjectOption { project: project.map(str::to_owned) };
        let runtime = Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let client = context.client()?.with_answer_time(PATIENCE);
            fetch_names(&client, kind, &project).await
        })
    }
}

async fn fetch_names(
    client: &ApiClient,
    kind: NameKind,
    project: &ProjectOption,
) -> Result<Vec<NamedItem>, CliError> {
    Ok(match kind {
        NameKind::Agent => {
            let agents = fetch_agents(client).await?.items.into_iter();
            agents.map(|agent| (agent.name, agent.roles.join(", "))).collect()
        }
        NameKind::Project => {
            let projects = fetch_projects(client).await?.items.into_iter();
            projects.map(|project| (project.slug, one_line(&project.name))).collect()
        }
        NameKind::State => {
            let project = project.fetch_id(client).await?;
            let states = client.projects().fetch_workflow(project).await?.states.into_iter();
            states.map(|state| (state.name, String::new())).collect()
        }
        NameKind::Task => {
            let project = project.fetch_id(client).await?;
            let query = TaskQuery {
                sort: Some(TaskSort::Updated),
                limit: Some(MOST_TASKS),
                ..TaskQuery::default()
            };
            let tasks = client.tasks().fetch_page(project, &query).await?.items.into_iter();
            tasks.map(|task| (task.key, one_line(&task.title))).collect()
        }
    })
}
