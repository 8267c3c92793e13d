//! `forge project checks` and `forge project reviewer`: how the tasks of a project are reviewed.

use clap::{ArgGroup, Args};
use forge_api::{Project, ProjectPatch, ProjectSettings, ReviewConfig, RoleAssignee};
use forge_client::ApiClient;

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::lookup::{ProjectOption, fetch_agent, fetch_assignee_name, fetch_user};
use crate::terminal::text_source;
use crate::terminal::text_table::one_line;

/// Show or set the checks of new tasks that name none
///
/// Without an option it shows them. Existing tasks keep their own checks at the gate; every landing uses the
/// project's current checks.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  forge project checks --ci \"cargo test\" --ci \"cargo clippy\"\n  forge project checks widget --timeout 900\n  forge project checks --none"
)]
pub(crate) struct ProjectChecksArgs {
    /// Project name or identifier; optional inside its repository, or if there is only one project
    project: Option<String>,
    /// Shell command that checks the work; may be repeated; replaces the current checks
    #[arg(long = "ci", value_name = "COMMAND")]
    checks: Vec<String>,
    /// Shell command that prepares the workspace before the checks; may be repeated; replaces the current commands
    #[arg(long = "setup", value_name = "COMMAND")]
    setup: Vec<String>,
    /// Stop a check that takes longer; 0 for the server's default
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u64>,
    /// No checks and no preparation
    #[arg(long, conflicts_with_all = ["checks", "setup"])]
    none: bool,
}

/// Show or set the reviewer of the project's tasks after their checks passed
///
/// Without an option it shows the reviewer. A task with its own reviewer keeps it; every other task gets this one
/// when it reaches its gate, including existing tasks.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("who").args(["agent", "user", "none"]))]
#[command(
    after_help = "Examples:\n  forge project reviewer --agent rex --prompt @review.md\n  forge project reviewer widget --user\n  forge project reviewer --none"
)]
pub(crate) struct ProjectReviewerArgs {
    /// Project name or identifier; optional inside its repository, or if there is only one project
    project: Option<String>,
    /// Agent that reviews, by name or identifier
    #[arg(long, short)]
    agent: Option<String>,
    /// User who reviews, by name; yourself without a name
    #[arg(long, short, num_args = 0..=1, default_missing_value = "me")]
    user: Option<String>,
    /// No reviewer: passed checks are enough
    #[arg(long)]
    none: bool,
    /// Question for the reviewer of new tasks: text, @FILE, or - for standard input
    #[arg(long, value_name = "TEXT")]
    prompt: Option<String>,
}

impl ProjectChecksArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let found = ProjectOption { project: self.project.clone() }.fetch(&client).await?;
        let before = found.settings.default_review_config.clone();
        let after = self.changed_config(before.clone());
        let project = if after == before {
            found
        } else {
            change(&client, found, |settings| settings.default_review_config = after).await?
        };
        context.output.print_result(&project, || describe_checks(&project))
    }

    fn changed_config(&self, mut config: ReviewConfig) -> ReviewConfig {
        if self.none {
            config.ci_steps.clear();
            config.setup_steps.clear();
        }
        if !self.checks.is_empty() {
            config.ci_steps.clone_from(&self.checks);
        }
        if !self.setup.is_empty() {
            config.setup_steps.clone_from(&self.setup);
        }
        if let Some(seconds) = self.timeout {
            config.timeout_seconds = (seconds > 0).then_some(seconds);
        }
        config
    }
}

impl ProjectReviewerArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let client = context.client()?;
        let prompt = self.prompt.as_deref().map(text_source::read_text).transpose()?;
        let mut project = ProjectOption { project: self.project }.fetch(&client).await?;
        let reviewer = match (&self.agent, &self.user) {
            (Some(name), _) => {
                Some(Some(RoleAssignee::Agent(fetch_agent(&client, name).await?.id)))
            }
            (None, Some(name)) => {
                Some(Some(RoleAssignee::User(fetch_user(&client, name).await?.id)))
            }
            (None, None) => self.none.then_some(None),
        };
        if reviewer.is_some() || prompt.is_some() {
            let set = |settings: &mut ProjectSettings| {
                settings.default_reviewer = reviewer.unwrap_or(settings.default_reviewer);
                let config = &mut settings.default_review_config;
                config.review_prompt = prompt.or(config.review_prompt.take());
            };
            project = change(&client, project, set).await?;
        }
        let name = match project.settings.default_reviewer {
            Some(reviewer) => Some(fetch_assignee_name(&client, reviewer).await),
            None => None,
        };
        context.output.print_result(&project, || describe_reviewer(&project, name.as_deref()))
    }
}

async fn change(
    client: &ApiClient,
    project: Project,
    set: impl FnOnce(&mut ProjectSettings),
) -> Result<Project, CliError> {
    let mut settings = project.settings;
    set(&mut settings);
    let patch = ProjectPatch { version: project.version, name: None, settings: Some(settings) };
    Ok(client.projects().update(project.id, &patch).await?)
}

fn describe_checks(project: &Project) -> String {
    let (name, config) = (one_line(&project.name), &project.settings.default_review_config);
    if config.ci_steps.is_empty() && config.setup_steps.is_empty() {
        return format!("New tasks of {name} have no checks");
    }
    let mut text = format!("New tasks of {name} are checked by");
    for step in &config.setup_steps {
        text.push_str(&format!("\n  setup    {}", one_line(step)));
    }
    for step in &config.ci_steps {
        text.push_str(&format!("\n  check    {}", one_line(step)));
    }
    if let Some(seconds) = config.timeout_seconds {
        text.push_str(&format!("\n  timeout  {seconds} s for each"));
    }
    text
}

fn describe_reviewer(project: &Project, reviewer: Option<&str>) -> String {
    let name = one_line(&project.name);
    let mut text = match reviewer {
        Some(reviewer) => format!("{} reviews the tasks of {name}", one_line(reviewer)),
        None => format!("Tasks of {name} have no default reviewer"),
    };
    if let Some(prompt) = &project.settings.default_review_config.review_prompt {
        text.push_str(&format!("\n  asked    {}", one_line(prompt)));
    }
    text
}
