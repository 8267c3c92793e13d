//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::commands;
use crate::exit_code::documentation;
use crate::help::command_tree::option_list;

/// Run many coding agents on your git repositories and land their work safely
///
/// A server (`forge serve`) stores projects, tasks and agents; every other command talks to it. In a repository,
/// start with `forge init`. To try Forge without a repository, run `forge demo`.
#[derive(Debug, Parser)]
#[command(name = "forge", version, propagate_version = false, arg_required_else_help = true)]
pub(crate) struct ForgeCli {
    #[command(flatten)]
    pub(crate) options: GlobalOptions,
    #[command(subcommand)]
    pub(crate) command: CliCommand,
}

/// Options of every command.
#[derive(Debug, Clone, Args)]
pub(crate) struct GlobalOptions {
    /// Server URL; default: the server of the last `forge login`, or http://127.0.0.1:8080
    #[arg(long, global = true, env = "FORGE_URL", value_name = "URL", hide_env_values = true)]
    pub(crate) url: Option<String>,
    /// Print one JSON document, as in the HTTP API; errors are JSON on standard error
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
    /// Print long texts without the program in PAGER
    #[arg(long, global = true)]
    pub(crate) no_pager: bool,
    /// Print only the result: no next steps, no progress
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always use colours
    Always,
    /// Never use colours
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CliCommand {
    Serve(Box<commands::serve::ServeArgs>),
    Demo(commands::demo::DemoArgs),
    Init(commands::init::InitArgs),
    Login(commands::account::login::LoginArgs),
    Logout(commands::account::logout::LogoutArgs),
    Whoami(commands::account::whoami::WhoamiArgs),
    #[command(subcommand)]
    Project(commands::project::project_subcommand::ProjectSubcommand),
    #[command(subcommand)]
    Repo(commands::repo::repo_subcommand::RepoSubcommand),
    #[command(subcommand)]
    Agent(commands::agent::AgentSubcommand),
    #[command(subcommand)]
    Task(Box<commands::task::TaskSubcommand>),
    Merge(commands::task::progress::merge::MergeArgs),
    Open(commands::open::OpenArgs),
    #[command(subcommand)]
    User(commands::account::user::UserSubcommand),
    Status(commands::status::StatusArgs),
    Verdict(commands::verdict::VerdictArgs),
    Ask(commands::agent_side::ask::AskArgs),
    Skill(commands::agent_side::skill::SkillArgs),
    Why(commands::why::WhyArgs),
    Inbox(commands::inbox::InboxArgs),
    Board(commands::board::board_args::BoardArgs),
    Conflicts(commands::conflicts::ConflictsArgs),
    Usage(commands::usage::UsageArgs),
    Budget(commands::budget::BudgetArgs),
    #[command(subcommand)]
    Dispatch(commands::dispatch::DispatchSubcommand),
    #[command(subcommand)]
    Train(commands::train::TrainSubcommand),
    Journal(commands::journal::JournalArgs),
    #[command(subcommand)]
    Webhook(Box<commands::webhook::webhook_subcommand::WebhookSubcommand>),
    #[command(subcommand)]
    Workflow(commands::workflow::workflow_subcommand::WorkflowSubcommand),
    #[command(subcommand)]
    Workspace(commands::workspace::WorkspaceSubcommand),
    Config(commands::account::config::ConfigArgs),
    Backup(commands::backup::BackupArgs),
    Doctor(commands::doctor::doctor_args::DoctorArgs),
    Mcp(commands::mcp::McpArgs),
    Completions(commands::completions::CompletionsArgs),
    Man(commands::man::ManArgs),
    /// List the exit codes of all commands
    #[command(long_about = documentation(), hide = true, help_template = "{about}")]
    ExitCodes,
    /// List the options of every command
    #[command(long_about = option_list(), hide = true, help_template = "{about}")]
    Options,
}

impl CliCommand {
    /// Whether the command runs a server in this process, which needs more than one thread.
    pub(crate) fn runs_server(&self) -> bool {
        matches!(self, Self::Serve(_) | Self::Demo(_))
    }

    /// Whether the command handles signals itself, to end in order.
    pub(crate) fn handles_signals(&self) -> bool {
        self.runs_server() || matches!(self, Self::Board(_))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic)]

    use clap::CommandFactory;
    use forge_api::actions::{ACTIONS, CliCommandRef, cli_command};

    use super::*;

    /// The list of commands is data of the API; this is the parser that it has to agree with.
    #[test]
    fn s_3_every_action_has_a_command_or_a_reason_for_having_none() {
        for action in ACTIONS {
            match cli_command(action) {
                Some(CliCommandRef::Command(path)) => {
                    let mut command = ForgeCli::command();
                    for word in path.split(' ') {
                        let found = command.find_subcommand(word).cloned();
                        command = found.unwrap_or_else(|| panic!("{}: no `{path}`", action.name));
                    }
                }
                Some(CliCommandRef::Excluded(reason)) => {
                    assert!(reason.len() > 20, "{}: {reason}", action.name);
                }
                None => panic!("{} has neither a command nor a reason", action.name),
            }
        }
    }
}
